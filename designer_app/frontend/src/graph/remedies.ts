/** Fix of a problem as an edit, applied by its button. */

import { type Catalog, outputOf } from "./catalog";
import { linkablePorts } from "./connections";
import {
  connect,
  disconnect,
  replaceModule,
  resetParameter,
  setParameter,
  setPin,
  setRunSettings,
  upgradeNode,
} from "./edits";
import { findNode, linksInto } from "./lookup";
import { isForeignCode, isOpenInput } from "./problems";
import { titleOf } from "./search";
import { titleAmong } from "./titles";
import { insertAcross, insertChain } from "./chains";
import type {
  Endpoint,
  JsonValue,
  PipelineDocument,
  PipelineNode,
  Problem,
  RunSettings,
} from "./types";
import { t } from "./translate";

export type Remedy = EditRemedy | LookRemedy | PackageRemedy;

interface EditRemedy {
  /** Text of the button. */
  readonly label: string;
  readonly dialog?: never;
  readonly adds?: never;
  readonly edit: (document: PipelineDocument, catalog: Catalog) => PipelineDocument;
}

/** Fix that needs a person's decision. */
interface LookRemedy {
  readonly label: string;
  readonly edit?: never;
  readonly dialog: "code";
  readonly adds?: never;
}

/** Fix that first has to find versions and build an environment. */
interface PackageRemedy {
  readonly label: string;
  readonly edit?: never;
  readonly dialog?: never;
  readonly adds: AddedPackage;
}

/** Package that the environment of a node lacks; null for the designer's own environment. */
export interface AddedPackage {
  readonly node: string;
  readonly name: string;
  readonly environment: string | null;
}

type Values = { readonly [key: string]: JsonValue };

/** Return the edit that fixes a problem; undefined if there is no automatic fix. */
export function remedyOf(
  problem: Problem,
  document: PipelineDocument,
  catalog: Catalog,
): Remedy | undefined {
  const { node, port, remedy } = problem;
  if (!remedy) return isOpenInput(problem) ? onlyWire(problem, document, catalog) : undefined;
  if (isEndpoint(remedy["disconnect"])) return removeLink(remedy["disconnect"]);
  if (typeof remedy["upgrade"] === "string") return upgrade(remedy["upgrade"]);
  if (typeof remedy["unpin"] === "string") return unpin(remedy["unpin"]);
  if (isForeignCode(problem)) return { label: t("Review code"), dialog: "code" };
  if (node === null || !findNode(document, node)) return undefined;
  if (typeof remedy["add_requirement"] === "string") return added(node, remedy);
  if (isNetwork(remedy["use_network"])) {
    return otherNetwork({ node, port }, remedy["use_network"], document, catalog);
  }
  if (isValues(remedy["set"])) return setValues({ node, port }, remedy["set"], document, catalog);
  if (typeof remedy["reset"] === "string") return reset(node, remedy["reset"]);
  if (isValues(remedy["run_settings"])) return settings(node, remedy["run_settings"]);
  if (typeof remedy["clear"] === "string") return clear(node, remedy["clear"]);
  if (isValues(remedy["across"])) return across(node, remedy["across"], catalog);
  const modules = remedy["insert"];
  if (port === null || !Array.isArray(modules)) return undefined;
  const parameters = remedy["parameters"];
  return insert(texts(modules), { node, port }, catalog, isValues(parameters) ? parameters : {});
}

/** Connect an open input if only one output fits. */
function onlyWire(
  { node, port }: Problem,
  document: PipelineDocument,
  catalog: Catalog,
): Remedy | undefined {
  if (node === null || port === null) return undefined;
  const to = { node, port };
  const [from, ...others] = linkablePorts(document, catalog, to, "input");
  const source = from && findNode(document, from.node);
  const output = source && catalog.byId.get(source.module);
  if (!from || !source || !output || others.length > 0) return undefined;
  const label = outputOf(output, from.port)?.label ?? from.port;
  return {
    label: t("Connect {label} of {node}", {
      label,
      node: titleAmong(document.nodes, source, catalog),
    }),
    edit: (edited) => connect(edited, catalog, from, to),
  };
}

function added(node: string, remedy: Values): Remedy {
  const [name, base] = [String(remedy["add_requirement"]), remedy["environment"]];
  const environment = typeof base === "string" ? base : null;
  return { label: addedWords(name, environment, false), adds: { node, name, environment } };
}

/** "Add lightning to a copy of tensorflow@1". */
export function addedWords(name: string, environment: string | null, isCopied: boolean): string {
  if (environment === null) return t("Add {name} to a new environment", { name });
  return isCopied
    ? t("Add {name} to a copy of {environment}", { name, environment })
    : t("Add {name} to environment {environment}", { name, environment });
}

/** Remove a run setting. */
function clear(node: string, setting: string): Remedy {
  return {
    label: t("Clear {setting}", { setting: setting.replaceAll("_", " ") }),
    edit: (document) => setRunSettings(document, node, { [setting]: null }),
  };
}

function removeLink(to: Endpoint): Remedy {
  return { label: t("Remove wire"), edit: (document) => disconnect(document, to) };
}

function upgrade(node: string): Remedy {
  const edit: EditRemedy["edit"] = (document, catalog) => upgradeNode(document, catalog, node);
  return { label: t("Upgrade node"), edit };
}

function unpin(node: string): Remedy {
  return { label: t("Unpin"), edit: (document) => setPin(document, [node], undefined) };
}

function reset(node: string, name: string): Remedy {
  return { label: t("Reset"), edit: (document) => resetParameter(document, node, name) };
}

function settings(node: string, values: Values): Remedy {
  const changes = values as Partial<RunSettings>;
  const words = Object.entries(values).map(([name, value]) =>
    t("{title} to {value}", { title: name.replaceAll("_", " "), value: String(value) }),
  );
  return {
    label: t("Set {values}", { values: words.join(", ") }),
    edit: (document) => setRunSettings(document, node, changes),
  };
}

/** Location of a problem. */
interface Place {
  readonly node: string;
  readonly port: string | null;
}

function setValues(
  place: Place,
  values: Values,
  document: PipelineDocument,
  catalog: Catalog,
): Remedy | undefined {
  const owner = ownerOf(Object.keys(values), place, document, catalog);
  if (!owner) return undefined;
  const module = catalog.byId.get(owner.module);
  const words = Object.entries(values).map(([name, value]) => {
    const title = module?.parameters.find((parameter) => parameter.id === name)?.title ?? name;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return t("{title} to {value}", { title, value: text });
  });
  const isHere = owner.id === place.node;
  return {
    label: isHere
      ? t("Set {values}", { values: words.join(", ") })
      : t("Set {values} at {node}", { values: words.join(", "), node: titleOf(owner, catalog) }),
    edit: (start, modules) =>
      Object.entries(values).reduce(
        (edited, [name, value]) => setParameter(edited, modules, owner.id, name, value),
        start,
      ),
  };
}

/** Network that replaces the one of a module with the same parameters. */
interface Network {
  readonly title: string;
  readonly module: string;
  readonly parameters: Values;
}

function otherNetwork(
  place: Place,
  { title, module, parameters }: Network,
  document: PipelineDocument,
  catalog: Catalog,
): Remedy | undefined {
  const owner = ownerOf(Object.keys(parameters), place, document, catalog);
  if (!owner || !catalog.byId.has(module)) return undefined;
  return {
    label: t("Use {title} (included)", { title }),
    edit: (start, modules) => replaceModule(start, modules, owner.id, module, parameters),
  };
}

function isNetwork(value: JsonValue | undefined): value is Values & Network {
  return (
    isValues(value) &&
    typeof value["title"] === "string" &&
    typeof value["module"] === "string" &&
    isValues(value["parameters"])
  );
}

/**
 * Return the node, or the nearest one before it, whose module has all these parameters: a training
 * fails because of a value of its model. Of equally near ones, that at the problem's port.
 */
function ownerOf(
  names: readonly string[],
  { node, port }: Place,
  document: PipelineDocument,
  catalog: Catalog,
): PipelineNode | undefined {
  const way = new Set([node]);
  for (const id of way) {
    const owner = findNode(document, id);
    const known = catalog.byId
      .get(owner?.module ?? "")
      ?.parameters.map((parameter) => parameter.id);
    if (known && names.every((name) => known.includes(name))) return owner;
    const isOfPort = (to: Endpoint): boolean => to.node === node && to.port === port;
    const links = linksInto(document, id);
    for (const link of links.filter((candidate) => isOfPort(candidate.to))) way.add(link.from.node);
    for (const link of links) way.add(link.from.node);
  }
  return undefined;
}

function insert(
  modules: readonly string[],
  to: Endpoint,
  catalog: Catalog,
  parameters: Values,
): Remedy {
  const titles = modules.map((id) => catalog.byId.get(id)?.title ?? id);
  return {
    label: t("Insert {names}", { names: titles.join(", ") }),
    edit: (document, known) => insertChain(document, known, modules, to, parameters),
  };
}

function across(node: string, values: Values, catalog: Catalog): Remedy | undefined {
  const { module, ports } = values;
  if (typeof module !== "string" || !Array.isArray(ports)) return undefined;
  return {
    label: t("Insert {title}", { title: catalog.byId.get(module)?.title ?? module }),
    edit: (document, known) => insertAcross(document, known, module, node, texts(ports)),
  };
}

function texts(values: readonly JsonValue[]): readonly string[] {
  return values.filter((item) => typeof item === "string");
}

function isValues(value: JsonValue | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEndpoint(value: JsonValue | undefined): value is { node: string; port: string } {
  return isValues(value) && typeof value["node"] === "string" && typeof value["port"] === "string";
}
