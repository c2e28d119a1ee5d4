/** Settings of a node as text, for its footer. */

import { isChanged, textOf, visibleParameters } from "./parameters";
import { t } from "./translate";
import { wordsOfText } from "./spaces";
import { triedParameters } from "./triedParameters";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineNode } from "./types";

/** Number of characters that fit into the two lines of a footer, and fewer without a space. */
const MOST_CHARACTERS = 46;
const MOST_UNBROKEN = 34;
const SEPARATOR = " · ";
/** Separator of the parts of a summary, the most important first. */
const COMMA = ", ";

/**
 * "epochs 2 · batch size 32 · +1": values that differ from the default and are not shown by ports,
 * as many as fit; empty without any. Parameters that the node varies itself come first, with their
 * spaces: "learning rate 0.001 to 0.1, logarithmic".
 */
export function settingsText(node: PipelineNode, module: ModuleSpec | undefined): string {
  if (!module) return "";
  const isOnPort = ({ id }: ParameterSpec): boolean =>
    module.outputs.some(({ share }) => share?.parameter === id);
  const tried = triedParameters(module, node);
  const isTried = ({ id, tries }: ParameterSpec): boolean =>
    tries || tried.some((parameter) => parameter.id === id);
  const said = [
    ...tried.map(({ id, space }) => {
      const parameter = module.parameters.find((own) => own.id === id);
      return `${(parameter?.title ?? id).toLowerCase()} ${shortened(wordsOfText(space, parameter))}`;
    }),
    ...visibleParameters(module, node)
      .filter((parameter) => isChanged(parameter, node))
      .filter((parameter) => !isOnPort(parameter) && !isTried(parameter))
      .map((parameter) => settingWords(parameter, node.parameters[parameter.id] ?? null)),
  ];
  const count = numFitting(said, SEPARATOR, `${SEPARATOR}+9`);
  const rest = said.length - count;
  return [...said.slice(0, count), ...(rest > 0 ? [`+${rest}`] : [])].join(SEPARATOR);
}

/** "98.1 % correct, 360 images scored": the first parts of a summary, as many as fit. */
export function shortSummary(summary: string): string {
  const parts = summary.split(COMMA);
  return parts.slice(0, numFitting(parts, COMMA, "")).join(COMMA);
}

/** Return how many of the texts fit, with a text about the others: at least one. */
function numFitting(said: readonly string[], separator: string, others: string): number {
  const fits = (count: number): boolean => {
    const rest = count < said.length ? others.length : 0;
    return said.slice(0, count).join(separator).length + rest <= MOST_CHARACTERS;
  };
  const counts = said.map((_, place) => place + 1).filter(fits);
  return Math.max(Math.min(1, said.length), ...counts);
}

function settingWords(parameter: ParameterSpec, value: JsonValue): string {
  const name = (parameter.title ?? parameter.id).toLowerCase();
  if (value === true) return name;
  if (value === false) return t("{name} off", { name });
  if (typeof value === "string" && parameter.type === "string" && value !== "") {
    const lines = parameter.code ? value.trim().split("\n").length : 1;
    // The first characters of code that would fit do not describe it
    return lines > 1 ? t("{name}, {lines} lines", { name, lines }) : shortened(value);
  }
  return `${name} ${shortened(textOf(value))}`;
}

/** Shorten a long text, such as a path, in the middle: its ends say most. */
function shortened(text: string): string {
  if (text.length <= (text.includes(" ") ? MOST_CHARACTERS : MOST_UNBROKEN)) return text;
  const half = Math.floor((MOST_UNBROKEN - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
