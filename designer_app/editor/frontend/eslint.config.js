import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** From top to bottom: a folder imports those below it; folders of one line do not know each other. */
const LAYERS = [
  ["main", "standalone"],
  ["screens"],
  ["panels", "canvas"],
  ["ui"],
  ["commands"],
  ["view"],
  ["store"],
  ["api", "browser"],
  ["export"],
  ["graph"],
];
const REACT = ["react", "react-dom", "react/*", "react-dom/*", "@xyflow/*"];
const WITHOUT_REACT = ["commands", "store", "api", "browser", "export", "graph"];
const WITHOUT_STORE = ["api", "browser", "export", "graph"];

/** What the files of a folder may not import: what stands above it or beside it. */
const layer = (folder, row) => {
  const others = LAYERS.slice(0, row + 1)
    .flat()
    .filter((name) => name !== folder);
  const group = [
    ...others.flatMap((name) => [`**/${name}/**`, `../**/${name}`]),
    ...(WITHOUT_REACT.includes(folder) ? [...REACT, "**/view/context"] : []),
    ...(WITHOUT_STORE.includes(folder) ? ["zustand", "zustand/*"] : []),
  ];
  const message = `${folder}/ does not know this: see the layers in eslint.config.js.`;
  return {
    files: [`src/${folder}/**`],
    rules: { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] },
  };
};

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
  ...LAYERS.flatMap((folders, row) => folders.map((folder) => layer(folder, row))),
);
