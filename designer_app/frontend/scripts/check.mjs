// Runs every check of the editor, two at a time; none if no input has changed since all passed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Scripts of package.json, the longest first. */
const CHECKS = ["test", "typecheck", "lint", "format:check", "unused", "layers", "build:check"];
const AT_ONCE = 2;

/** What the checks read: the editor's own files, its bundle, and the cases shared with Python. */
const INPUTS = [".", "node_modules/.package-lock.json", "../editor/static"];
INPUTS.push("../../tests/cases", "../../.gitignore");

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "node_modules", ".cache", "checks", "passed");

function filesIn(path) {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => name !== "node_modules");
  return names.flatMap((name) => filesIn(`${path}/${name}`));
}

/** Hash of the names and contents of all inputs, of the installed packages and the node version. */
function hashOfInputs() {
  const hash = createHash("sha256").update(`${process.version} ${process.platform}`);
  for (const path of INPUTS.flatMap(filesIn).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Run one check and print its output, as one piece, if it fails; return true if it passes. */
function run(name, command) {
  const started = performance.now();
  const PATH = join(root, "node_modules", ".bin") + delimiter + process.env.PATH;
  const child = spawn(command, { cwd: root, env: { ...process.env, PATH }, shell: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(data));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      console.log(`editor ${name}: ${code === 0 ? "passed" : "failed"} after ${seconds} s`);
      resolve(code === 0);
    });
  });
}

async function passAll() {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const waiting = [...CHECKS];
  let passed = true;
  const lane = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      if (!(await run(name, scripts[name]))) passed = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return passed;
}

const inputs = hashOfInputs();
if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) {
  console.log("editor: nothing has changed since all checks passed");
} else if (!(await passAll())) {
  process.exitCode = 1;
} else if (hashOfInputs() === inputs) {
  // A file that was edited in the meantime may not have been checked.
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs);
}
