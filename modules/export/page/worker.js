/** Worker that holds the model: loads it once and answers one image after the other. */

import * as ort from "./ort.wasm.min.mjs";

ort.env.wasm.wasmPaths = new URL("./", import.meta.url).href;
ort.env.logLevel = "error";
if (!self.crossOriginIsolated) ort.env.wasm.numThreads = 1; // threads need shared memory

let session = null;
let queue = Promise.resolve();

self.addEventListener("message", ({ data }) => {
  const work = data.kind === "load" ? () => load(data) : () => recognize(data);
  queue = queue.then(work).catch((error) => {
    self.postMessage({ kind: "error", id: data.id, message: messageOf(error) });
  });
});

function messageOf(error) {
  return String(error?.message ?? error).slice(0, 300);
}

async function load({ file, bytes }) {
  const content = await download(file, bytes);
  self.postMessage({ kind: "opening" });
  session = await ort.InferenceSession.create(content, { executionProviders: ["wasm"] });
  self.postMessage({ kind: "ready" });
}

async function download(file, bytes) {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const content = new Uint8Array(bytes);
  const reader = response.body.getReader();
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (received + value.length > bytes) throw new Error(`${file} is damaged`);
    content.set(value, received);
    received += value.length;
    self.postMessage({ kind: "progress", share: received / bytes });
  }
  if (received !== bytes) throw new Error(`${file} is damaged`);
  return content;
}

async function recognize({ id, width, height, rgb }) {
  if (!session) throw new Error("the model is not open");
  const started = performance.now();
  const pixels = new ort.Tensor("uint8", rgb, [height, width, 3]);
  const results = await session.run({ pixels });
  const milliseconds = performance.now() - started;
  const probabilities = Float32Array.from(results.probabilities.data);
  const accepted = results.accepted ? Boolean(results.accepted.data[0]) : true;
  pixels.dispose();
  self.postMessage({ kind: "answer", id, probabilities, accepted, milliseconds });
}
