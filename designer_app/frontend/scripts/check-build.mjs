// Build again, and check that ../editor/static has exactly these files and that it is small enough.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Bytes, compressed, of what must be there before anything is seen; a first visit takes 2 s with them. */
const MOST = 203_600;

const kept = new URL("../../editor/static", import.meta.url).pathname;
const fresh = mkdtempSync(join(tmpdir(), "editor-"));

function filesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((each) => join(folder, each));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** A piece of the bundle and every piece that it cannot begin without. */
function loadedFirst(manifest, name, known = new Set()) {
  if (known.has(name)) return [];
  known.add(name);
  const others = manifest[name].imports ?? [];
  return [name, ...others.flatMap((each) => loadedFirst(manifest, each, known))];
}

try {
  await build({ logLevel: "error", build: { outDir: fresh } });
  const [wanted, found] = [filesIn(fresh), filesIn(kept)];
  const names = new Set([...wanted.keys(), ...found.keys()]);
  const differing = [...names].filter(
    (name) => !found.get(name)?.equals(wanted.get(name) ?? Buffer.alloc(0)),
  );
  if (differing.length > 0) {
    console.error(`static/ is not what the sources give: ${differing.join(", ")}.`);
    console.error("Run `npm run build` and keep the result.");
    process.exitCode = 1;
  }
  const manifest = JSON.parse(wanted.get("manifest.json").toString());
  const first = loadedFirst(manifest, "src/main.tsx").map((name) => manifest[name].file);
  const size = first.reduce(
    (sum, file) => sum + gzipSync(wanted.get(file), { level: 9 }).length,
    0,
  );
  if (size > MOST) {
    console.error(`${first.join(", ")} have ${size} bytes compressed, more than ${MOST}.`);
    console.error("Load something later: see src/panels/lazyPanels.ts.");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}
