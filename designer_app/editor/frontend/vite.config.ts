import { defineConfig } from "vitest/config";

// An app build, not build.lib: library builds keep white space and are a quarter larger.
export default defineConfig({
  base: "./",
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
      input: { editor: "src/main.tsx", charts: "src/charts.ts" },
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "chunk-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
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
    pool: "threads",
    maxWorkers: 1,
    testTimeout: 20_000,
  },
});
