/**
 * Translations in the language of the page. English is in the code; the page of another language
 * carries its catalog, which `make catalogs` makes, before any script (`page_shell.py`).
 */

export interface Catalog {
  readonly language: string;
  /** Separator of thousands and decimal separator. */
  readonly separators: readonly [group: string, decimal: string];
  /** Translations by English text, or by context and text. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Index of the form of a word for a count. */
export type FormRule = (count: number) => number;

export interface Translation {
  readonly text: string;
  readonly formOf: FormRule;
}

/** Order of the forms of a word in texts. */
const FORMS = ["zero", "one", "two", "few", "many", "other"] as const;
const SEPARATOR = "\u0004";

let catalog = (globalThis as { designerCatalog?: Catalog }).designerCatalog;
let formOfCatalog = catalog && ruleOf(catalog.language);

export function setCatalog(chosen: Catalog | undefined): void {
  catalog = chosen;
  formOfCatalog = chosen && ruleOf(chosen.language);
}

/** The text in the language of the page, and the plural rule of that language. */
export function translation(text: string, context = ""): Translation {
  const translated = catalog?.texts[context ? context + SEPARATOR + text : text];
  return translated && formOfCatalog
    ? { text: translated, formOf: formOfCatalog }
    : { text, formOf: englishForm };
}

/** An English number, such as "1,234.5", with the separators of the language of the page. */
export function localNumber(text: string): string {
  if (!catalog) return text;
  const [group, decimal] = catalog.separators;
  return text.replace(/[,.]/g, (separator) => (separator === "," ? group : decimal));
}

function englishForm(count: number): number {
  return count === 1 ? 0 : 1;
}

function ruleOf(language: string): FormRule {
  const rules = new Intl.PluralRules(language);
  const categories = rules.resolvedOptions().pluralCategories;
  const forms = FORMS.filter((form) => categories.includes(form));
  return (count) => forms.indexOf(rules.select(count));
}
