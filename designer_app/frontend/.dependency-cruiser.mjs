/** Who may import whom in src/, also for types and for what is loaded on demand. */

/** From top to bottom: a folder imports those below it; those of one line do not know each other. */
const LAYERS = [
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
const WITHOUT_REACT = ["commands", "store", "api", "browser", "export", "graph"];
const WITHOUT_STORES = ["api", "browser", "export", "graph"];

const inside = (folders) => `^src/(${folders.join("|")})/`;
const outsideLibrary = (names) => `^node_modules/(${names.join("|")})/`;

const layers = LAYERS.flatMap((folders, row) =>
  folders.map((folder) => ({
    name: `${folder}-knows-only-what-is-below`,
    severity: "error",
    from: { path: inside([folder]) },
    to: {
      path: [
        inside(
          LAYERS.slice(0, row + 1)
            .flat()
            .filter((name) => name !== folder),
        ),
        "^src/[^/]+$", // main.tsx and its like
      ],
    },
  })),
);

export default {
  forbidden: [
    ...layers,
    {
      name: "no-cycles",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "without-react",
      comment: "What a user can do and what is known must work without a page to draw on.",
      severity: "error",
      from: { path: inside(WITHOUT_REACT) },
      to: { path: [outsideLibrary(["react", "react-dom", "@xyflow"]), "^src/view/context"] },
    },
    {
      name: "without-stores",
      severity: "error",
      from: { path: inside(WITHOUT_STORES) },
      to: { path: outsideLibrary(["zustand"]) },
    },
    { name: "is-there", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
