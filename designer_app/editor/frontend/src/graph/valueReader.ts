/** Values of unknown origin, read within bounds: what is wrong is collected, never thrown. */

import { INVALID_DOCUMENT, MAX_PROBLEMS, problemOf } from "./problems";
import * as say from "./sentences/parts.gen";
import type { Fact, Sentence } from "./sentences/sentence";
import type { Problem } from "./types";

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const HALF_A_CHARACTER = /\p{Cs}/u;
const MAX_DEPTH = 64;
const MAX_PATH = 200;

export type Fields = Readonly<Record<string, unknown>>;
export type Read<Value> = (value: unknown, path: string) => Value;

/** The kinds of values that parts of a document are made of. */
export class ValueReader {
  readonly problems: Problem[] = [];
  /** Problems that are counted only. */
  numOmitted = 0;

  /** Any JSON; its depth is that in the document. */
  protected json(value: unknown, path: string, depth = path.split(/[.[]/).length): void {
    if (depth > MAX_DEPTH) return this.report(path, say.PART_TOO_DEEP, { most: MAX_DEPTH });
    if (typeof value === "number") this.isExact(value, path);
    if (typeof value === "string") this.text(Infinity)(value, path);
    if (value === null || typeof value !== "object") return undefined;
    for (const [key, each] of Object.entries(value)) {
      const part = Array.isArray(value) ? `[${key}]` : `.${key.slice(0, 100)}`;
      this.json(each, path.length > MAX_PATH ? path : path + part, depth + 1);
    }
    return undefined;
  }

  protected list<Value>(most: number, read: Read<Value>): Read<readonly Value[]> {
    return (value, path) => {
      if (value === undefined) return [];
      if (!Array.isArray(value)) return this.wrong(path, say.PART_LIST, []);
      if (value.length > most) {
        this.report(path, say.PART_TOO_MANY, { bound: most });
        return [];
      }
      return value.map((each, place) => read(each, `${path}[${place}]`));
    };
  }

  protected text(most: number): Read<string> {
    return (value, path) => {
      if (value === undefined) return "";
      if (typeof value !== "string") return this.wrong(path, say.PART_TEXT, "");
      if (HALF_A_CHARACTER.test(value)) return this.wrong(path, say.PART_NOT_UNICODE, "");
      // Python counts characters, JavaScript UTF-16 units
      if (value.length > most && [...value].length > most) {
        this.report(path, say.PART_TOO_LONG, { bound: most });
        return "";
      }
      return value;
    };
  }

  /** `least` itself is allowed; the smallest number there is stands for "greater than 0". */
  protected number(initial: number, least: number, most: number): Read<number> {
    return (value, path) => {
      if (value === undefined) return initial;
      if (typeof value !== "number") return this.wrong(path, say.PART_NUMBER, initial);
      if (!this.isExact(value, path)) return initial;
      if (value < least) {
        if (least === Number.MIN_VALUE) this.report(path, say.PART_GREATER, { bound: 0 });
        else this.report(path, say.PART_AT_LEAST, { bound: least });
        return initial;
      }
      if (value > most) this.report(path, say.PART_AT_MOST, { bound: most });
      return value === 0 ? 0 : value;
    };
  }

  protected whole(initial: number, least: number, most: number): Read<number> {
    return (value, path) => {
      if (value === undefined || Number.isInteger(value)) {
        return this.number(initial, least, most)(value, path);
      }
      return this.wrong(path, say.PART_WHOLE, initial);
    };
  }

  protected flag(value: unknown, path: string): boolean {
    if (value === undefined || typeof value === "boolean") return value ?? false;
    return this.wrong(path, say.PART_BOOLEAN, false);
  }

  protected id(value: unknown, path: string): string {
    return this.matching(ID)(value, path);
  }

  protected name(value: unknown, path: string): string {
    return this.matching(NAME)(value, path);
  }

  protected matching(pattern: RegExp, unlike = say.PART_NO_ID): Read<string> {
    return (value, path) => {
      if (typeof value === "string" && pattern.test(value)) return value;
      const missing = value === undefined ? say.PART_MISSING : say.PART_TEXT;
      return this.wrong(path, typeof value === "string" ? unlike : missing, "");
    };
  }

  protected oneOf<Value extends string>(values: readonly [Value, ...Value[]]): Read<Value> {
    return (value, path) => {
      const found = values.find((each) => each === value);
      if (found !== undefined) return found;
      const words = values.map((each) => `'${each}'`);
      const fault = `Input should be ${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
      this.report(path, say.PART_WRONG, { fault });
      return values[0];
    };
  }

  protected fields(value: unknown, path: string, known: string): Fields {
    if (value === undefined) return {};
    if (!isObject(value)) return this.wrong(path, say.PART_OBJECT, {});
    const names = known.split(" ");
    for (const key of Object.keys(value)) {
      if (!names.includes(key)) this.report(`${path}.${key.slice(0, 100)}`, say.PART_UNKNOWN, {});
    }
    return value;
  }

  /** What stands in the place of a value that is wrong. */
  protected wrong<Value>(path: string, sentence: Sentence<"place">, instead: Value): Value {
    this.report(path, sentence, {});
    return instead;
  }

  protected report<Name extends string>(
    path: string,
    sentence: Sentence<Name | "place">,
    facts: Readonly<Record<Exclude<Name, "place">, Fact>>,
  ): void {
    if (this.problems.length >= MAX_PROBLEMS) {
      this.numOmitted += 1;
      return;
    }
    const place = path.replace(/^\./, "") || say.THE_DOCUMENT[1];
    this.problems.push(problemOf(INVALID_DOCUMENT, { sentence, facts: { place, ...facts } }));
  }

  /** True for what Python and browsers hold alike: floats are written with an exponent from 1e21. */
  private isExact(value: number, path: string): boolean {
    if (!Number.isFinite(value)) return this.wrong(path, say.PART_NOT_FINITE, false);
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
    if (isRounded && Math.abs(value) < 1e21) return this.wrong(path, say.PART_TOO_LARGE, false);
    return true;
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
