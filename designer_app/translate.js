/* Text in the language of the page, with its placeholders filled: `{name}`, and `{count:image|images}`
   for the forms of a word. English is the text itself. The editor has the same in
   `graph/translate.ts`. */
const catalog = globalThis.designerCatalog;

function formOf(count, language) {
  const rule = new Intl.PluralRules(language);
  const order = ["zero", "one", "two", "few", "many", "other"];
  const categories = rule.resolvedOptions().pluralCategories;
  return order.filter((form) => categories.includes(form)).indexOf(rule.select(count));
}

function shown(value, format) {
  const text = format ? value.toLocaleString("en-US") : `${value}`;
  if (typeof value !== "number" || !catalog) return text;
  const [group, decimal] = catalog.separators;
  return text.replace(/[,.]/g, (separator) => (separator === "," ? group : decimal));
}

function t(text, facts = {}) {
  const translated = catalog?.texts[text];
  const language = translated ? catalog.language : "en";
  return (translated ?? text).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, forms = "") => {
    if (!forms.includes("|")) return shown(facts[name], forms);
    const words = forms.split("|");
    return words[Math.min(formOf(facts[name], language), words.length - 1)];
  });
}
