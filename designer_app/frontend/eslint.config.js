import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Who may import whom stands in .dependency-cruiser.mjs, what nobody uses is found by knip.json.
const SHOWN = "name.name=/^(alt|aria-label|label|nothing|placeholder|title|unit)$/";
const WORDS = "/[A-Za-z]{2}/";
/** Where texts are shown: each is a literal in `t("...")`, which `make catalogs` collects. */
const UNTRANSLATED = [
  `JSXText[value=${WORDS}]`,
  `JSXAttribute[${SHOWN}] > Literal[value=${WORDS}]`,
  `JSXAttribute[${SHOWN}] TemplateElement[value.raw=${WORDS}]`,
  `Property[key.name="label"] > Literal[value=${WORDS}]`,
  `Property[key.name="label"] TemplateElement[value.raw=${WORDS}]`,
  `CallExpression[callee.property.name="notify"] > Literal[value=/ /]`,
  `CallExpression[callee.name="speak"] > Literal[value=/ /]`,
  `CallExpression[callee.name=/^(t|rich)$/] > :not(Literal):first-child`,
];

export default tseslint.config(
  { ignores: ["node_modules/**", "src/**/*.gen.ts"] },
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-function-return-type": [
        "error",
        { allowExpressions: true, allowTypedFunctionExpressions: true },
      ],
      "max-lines": ["error", { max: 400 }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        ...UNTRANSLATED.map((selector) => ({
          selector,
          message: 'Mark the text for translation: t("..."), in graph/translate.ts.',
        })),
      ],
    },
  },
);
