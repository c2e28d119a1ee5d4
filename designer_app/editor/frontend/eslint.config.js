import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Who may import whom stands in .dependency-cruiser.mjs, what nobody uses is found by knip.json.
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
    },
  },
);
