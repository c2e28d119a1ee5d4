import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";

/**
 * Imports on demand without Vite's helper for styles and prefetching: the scripts contain their
 * styles, and the helper is 0.9 kB of the first bundle.
 */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  apply: "build",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
};

/** Removal of display names, which keep unused components of React Flow in the bundle. */
const withoutDisplayNames: Plugin = {
  name: "without-display-names",
  apply: "build",
  transform: {
    filter: { id: /@xyflow\/react\/dist\/esm\// },
    handler: (code) => ({ code: code.replace(/^\w+\.displayName = '\w+';$/gm, ""), map: null }),
  },
};

const FIRST = /src\/main\.tsx$/;
/** Parts of the canvas loaded during the first paint. */
const CANVAS =
  /src\/(canvas\/(later|NodePreview|FailureCard|overview\/OverviewLayer)|graph\/layout\/wireRouter|panels\/palette\/modelsToPlace|ui\/moreModuleIcons)\.tsx?$/;
/** Other screens, which share some parts with the editor's panels. */
const SCREENS = /src\/screens\/(Screen|replay\/ReplayScreen)\.tsx$/;
/** Parts loaded after the first paint. */
const PANELS = /src\/panels\/lazyPanels\.ts$/;

/** Return the name for modules in `roots` and everything that they import. */
function piece(name: string, roots: RegExp): Rolldown.CodeSplittingNameFunction {
  return (id, context) => {
    const seen = new Set([id]); // iterating over a set includes what is added meanwhile
    for (const module of seen) {
      if (roots.test(module)) return name;
      for (const importer of context.getModuleInfo(module)?.importers ?? []) seen.add(importer);
    }
    return null;
  };
}

// An app build, not build.lib: library builds keep white space and are a quarter larger.
export default defineConfig({
  base: "./",
  plugins: [plainImports, withoutDisplayNames],
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: "../editor/static",
    emptyOutDir: true,
    manifest: "manifest.json",
    // The licenses of the bundled packages: they must accompany the code.
    license: { fileName: "licenses.md" },
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    sourcemap: false,
    // ELK is large by nature and loaded only when someone tidies a graph.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      preserveEntrySignatures: "strict",
      // Components of React Flow that nobody imports are dropped only if making one has no effect.
      treeshake: {
        manualPureFunctions: ["memo", "forwardRef", "fixedForwardRef", "createContext"],
      },
      input: {
        editor: "src/main.tsx",
        charts: "src/charts.ts",
        archives: "src/archives.ts",
        camera: "src/camera.tsx",
      },
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "chunk-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
        // Each file is a separate request, and small ones compress worse: few chunks, by when they
        // are needed.
        codeSplitting: {
          groups: [
            { name: piece("core", FIRST), debugName: "core", minShareCount: 2 },
            { name: "icons", tags: ["$initial"], test: /lucide-react/ },
            { name: piece("canvas", CANVAS), debugName: "canvas" },
            { name: piece("screens", SCREENS), debugName: "screens", minShareCount: 2 },
            { name: piece("panels", PANELS), debugName: "panels" },
          ],
        },
      },
    },
  },
  // For standalone.html with a running app, which accepts requests from its own address only.
  server: {
    proxy: {
      "/api": {
        target: process.env["DESIGNER_APP"] ?? "http://127.0.0.1:8501",
        changeOrigin: true,
        headers: { "Sec-Fetch-Site": "same-origin" },
        configure: (proxy) => proxy.on("proxyReq", (request) => request.removeHeader("origin")),
      },
    },
  },
  test: {
    pool: "threads",
    maxWorkers: 1,
    testTimeout: 120_000, // ends only what hangs, also on a busy machine
    projects: [
      {
        extends: true,
        test: {
          name: "logic",
          include: ["tests/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "components",
          include: ["tests/components/*.test.ts"],
          environment: "./tests/components/environment.ts",
          setupFiles: ["tests/components/setup.ts"],
          isolate: false, // what a page is made of takes longer to load than most tests
        },
      },
    ],
  },
});
