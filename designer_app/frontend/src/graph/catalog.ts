/** The module catalog: look-up, search, and the modules compatible with a port. */

import { remembered } from "./lookup";
import type { CatalogSpec, ModuleSpec, PortSpec, PortTypeSpec } from "./types";

/** Catalog with its indexes. */
export interface Catalog {
  /** Modules in the order of the palette. */
  readonly modules: readonly ModuleSpec[];
  readonly byId: ReadonlyMap<string, ModuleSpec>;
  readonly types: ReadonlyMap<string, PortTypeSpec>;
  readonly spec: CatalogSpec;
  /** Catalog without the sub-pipelines of a document. */
  readonly base?: Catalog;
}

export interface Category {
  readonly name: string;
  readonly modules: readonly ModuleSpec[];
}

export function makeCatalog(spec: CatalogSpec): Catalog {
  return {
    modules: spec.modules,
    byId: new Map(spec.modules.map((module) => [module.id, module])),
    types: new Map(spec.port_types.map((type) => [type.name, type])),
    spec,
  };
}

export function inputOf(module: ModuleSpec, port: string): PortSpec | undefined {
  return module.inputs.find((input) => input.id === port);
}

export function outputOf(module: ModuleSpec, port: string): PortSpec | undefined {
  return module.outputs.find((output) => output.id === port);
}

/** Return true if a link may connect an output type to an input type. */
export function fits(catalog: Catalog, outputType: string, inputType: string): boolean {
  if (outputType === inputType) return true;
  return catalog.types.get(outputType)?.supertypes.includes(inputType) ?? false;
}

/** Return the color name of a type: "green", "violet" ... */
export function colourOf(catalog: Catalog, type: string): string {
  return catalog.types.get(type)?.colour ?? "grey";
}

/** Return the color name of a module's output: the hue of its icon. */
export function moduleColour(catalog: Catalog, module: ModuleSpec): string {
  const made = module.outputs[0] ?? module.inputs[0];
  return made ? colourOf(catalog, made.type) : "grey";
}

export const categories = remembered((catalog: Catalog): readonly Category[] => {
  const names = [...new Set(catalog.modules.map((module) => module.category))];
  return names.map((name) => ({
    name,
    modules: catalog.modules.filter((module) => module.category === name),
  }));
});

/** Return the modules with an input that accepts the type. */
export function modulesThatTake(catalog: Catalog, type: string): readonly ModuleSpec[] {
  return catalog.modules.filter((module) =>
    module.inputs.some((port) => fits(catalog, type, port.type)),
  );
}

/** Return the modules with an output that the input type accepts. */
export function modulesThatGive(catalog: Catalog, type: string): readonly ModuleSpec[] {
  return catalog.modules.filter((module) =>
    module.outputs.some((port) => fits(catalog, port.type, type)),
  );
}

/** Return the only module that converts the first type to the second; undefined for none or
 * several. */
export function findBridge(catalog: Catalog, from: string, to: string): ModuleSpec | undefined {
  const bridges = catalog.modules.filter(
    (module) =>
      module.inputs.some(
        (port) => fits(catalog, from, port.type) && (module.bridges?.includes(port.id) ?? true),
      ) && module.outputs.some((port) => fits(catalog, port.type, to)),
  );
  return bridges.length === 1 ? bridges[0] : undefined;
}

/** Return true for modules that run in several processes, independently of the launcher. */
export function runsInProcesses(module: ModuleSpec): boolean {
  return module.distributed || module.launches;
}
