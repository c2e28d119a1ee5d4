/** Numbers are formatted as on the command line and in the pages. */

import { describe, expect, test } from "vitest";

import * as format from "../src/view/format";
import { load } from "./cases";

interface FormattingCase {
  readonly form: string;
  readonly of: readonly never[];
  readonly text: string;
}

const FORMS: Readonly<Record<string, (...of: never[]) => string>> = {
  seconds: format.formatSeconds,
  bytes: format.formatBytes,
  cost: format.formatCost,
  count: format.formatCount,
  rate: format.formatRate,
  number: format.formatNumber,
};

describe("number formats shared with Python", () => {
  test.each(load<FormattingCase[]>("formatting.json").filter(({ form }) => form in FORMS))(
    "$form $of",
    ({ form, of, text }) => {
      expect(FORMS[form]?.(...of)).toBe(text);
    },
  );
});
