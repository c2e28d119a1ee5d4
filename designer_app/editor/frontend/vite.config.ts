import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * An import on demand is an import and no more: styles lie in the scripts, and nothing is fetched
 * ahead of it. Vite's own helper, which sees to both, is 0.9 kB of what is loaded first.
 */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  apply: "build",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
};

// An app build, not build.lib: library builds keep white space and are a quarter larger.
export default defineConfig({
  base: "./",
  plugins: [plainImports],
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    sourcemap: false,
    // ELK is large by nature and loaded only when someone tidies a graph.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      preserveEntrySignatures: "strict",
      input: { editor: "src/main.tsx", charts: "src/charts.ts", archives: "src/archives.ts" },
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "chunk-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
        // What every first visit needs is one piece: many small ones compress worse.
        codeSplitting: {
          groups: [
            {
              name: "core",
              test: /src\/(graph\/(catalog|definitions|edits|lookup|paths|problems|connections|parameters|portLabels|previewedType|traversal|search|runState|ownModules|annotations|layout\/(geometry|makeRoom))|store\/(selectors|undoHistory|withPlaces)|ui\/(buttons|importWithRetry|PaneResizer|useRestoredFocus)|view\/(context|dock|panePreferences|format|responsivePanes|viewStore)|canvas\/(edgePath|edgeHitTest|connectionDrag|levelOfDetail)|commands\/addNode|panels\/notices\/Banner)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  // For standalone.html beside a running app: the app takes requests from its own address only.
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
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
    pool: "threads",
    maxWorkers: 1,
    testTimeout: 20_000,
  },
});
