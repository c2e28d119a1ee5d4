import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Imports go one way: screens -> panels, canvas -> commands -> store -> graph; graph imports nothing. */
const layer = (files, forbidden, message) => ({
  files,
  rules: {
    "no-restricted-imports": ["error", { patterns: [{ group: forbidden, message }] }],
  },
});

const tops = ["**/screens/**", "**/main"];
const views = ["**/canvas/**", "**/panels/**", "**/parts/**", ...tops];

export default tseslint.config(
  { ignores: ["node_modules/**", "src/graph/types.gen.ts"] },
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
  layer(
    ["src/graph/**"],
    ["../*", "!./*", "react", "react-dom", "react/*", "@xyflow/*", "zustand", "zustand/*"],
    "graph/ is pure: it imports nothing outside itself.",
  ),
  layer(
    ["src/bridge/**"],
    ["**/store/**", "**/commands/**", ...views, "react", "react-dom", "@xyflow/*", "zustand/*"],
    "bridge/ talks to the outside world and knows only graph/.",
  ),
  layer(
    ["src/store/**"],
    ["**/commands/**", ...views, "react", "react-dom", "@xyflow/*"],
    "store/ may import graph/ and bridge/ only.",
  ),
  layer(
    ["src/commands/**"],
    [...views, "react", "react-dom", "@xyflow/*"],
    "commands/ may import store/, bridge/ and graph/ only.",
  ),
  layer(
    ["src/parts/**"],
    views,
    "parts/ are small pieces for canvas/ and panels/: they know neither.",
  ),
  layer(["src/canvas/**"], ["**/panels/**", ...tops], "canvas/ does not know panels/."),
  layer(["src/panels/**"], ["**/canvas/**", ...tops], "panels/ do not know canvas/."),
  layer(
    ["src/screens/**"],
    ["**/main", "**/standalone"],
    "screens/ are put together of canvas/ and panels/: they do not know the page.",
  ),
);
