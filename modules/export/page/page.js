/** The page of a model: an image from a file, the camera or a drawing, and its classes. */

import { pixelsOf } from "./pixels.js";

const MAX_CLASSES = 10;
const CAMERA_PAUSE = 150;
const element = (id) => document.getElementById(id);

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let facts = null;
let ready = false;
let latest = 0;
let pending = null;

/** Start: labels and card first, then the model in a worker, so that the page stays responsive. */
async function start() {
  try {
    facts = await (await fetch("model.json")).json();
  } catch {
    showError("The model's description cannot be read. Open this page through a web server.");
    return;
  }
  describe(facts);
  clearBoard(facts.dark_background);
  worker.postMessage({ kind: "load", file: "model.onnx", bytes: facts.num_bytes });
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "progress") element("progress").value = data.share;
  else if (data.kind === "opening") {
    element("phase").textContent = "Opening the model";
    element("progress").removeAttribute("value");
  } else if (data.kind === "ready") {
    ready = true;
    element("loading").hidden = true;
    document.body.dataset.state = "ready";
    if (pending) void recognize(pending);
  } else if (data.kind === "answer") waiting.get(data.id)?.(data);
  else if (data.kind === "error") {
    waiting.get(data.id)?.({ error: data.message });
    if (data.id === undefined) {
      element("loading").hidden = true;
      showError(`The model cannot be opened: ${data.message}`);
    }
  }
});
worker.addEventListener("error", () => {
  showError("The model cannot be opened. Use a newer browser, and open this page through a web server.");
});

function describe({ name, card, labels }) {
  document.title = name;
  document.querySelector("h1").textContent = name;
  element("about").textContent = `${labels.length} classes, ${card.architecture}`;
  for (const [title, text] of facts.facts) {
    element("card").append(tag("dt", title), tag("dd", text));
  }
  for (const limit of card.limits) element("limits").append(tag("li", limit));
}

function tag(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function showError(text) {
  const place = element("error");
  place.textContent = text;
  place.hidden = text === "";
}

/** Recognize a source of pixels: of several that arrive while one is computed, the last counts. */
async function recognize(source) {
  pending = source;
  if (!ready) return;
  const id = ++latest;
  const started = performance.now();
  let pixels;
  try {
    pixels = pixelsOf(source);
  } catch {
    showError("The image cannot be read. Choose another file.");
    return;
  }
  pending = null;
  const decoded = performance.now() - started;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ kind: "recognize", id, ...pixels }, [pixels.rgb.buffer]);
  });
  waiting.delete(id);
  if (id !== latest) return;
  if (answer.error !== undefined) showError(`The image cannot be recognized: ${answer.error}`);
  else showAnswer(answer, decoded, performance.now() - started, pixels);
}

function showAnswer({ probabilities, milliseconds, accepted }, decoded, total, pixels) {
  showError("");
  const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a]);
  const [first] = order;
  element("answer").textContent = accepted ? facts.labels[first] : "I do not know";
  element("remark").hidden = accepted;
  element("remark").textContent = accepted
    ? ""
    : `The most probable class, ${facts.labels[first]}, is not probable enough.`;
  const rows = order.slice(0, MAX_CLASSES).map((index) => {
    const row = tag("li", "");
    const share = probabilities[index] * 100;
    const bar = document.createElement("i");
    bar.style.setProperty("--share", `${share.toFixed(2)}%`);
    row.append(tag("span", facts.labels[index]), tag("b", `${share.toFixed(1)} %`), bar);
    return row;
  });
  element("classes").replaceChildren(...rows);
  const size = `${pixels.width} x ${pixels.height} pixels`;
  const times = `model ${milliseconds.toFixed(0)} ms, total ${total.toFixed(0)} ms`;
  element("timing").textContent = `${size}, reading ${decoded.toFixed(0)} ms, ${times}`;
  const result = element("result");
  result.dataset.label = facts.labels[first];
  result.dataset.probabilities = JSON.stringify([...probabilities]);
  result.dataset.milliseconds = String(total);
  result.dataset.count = String(Number(result.dataset.count ?? 0) + 1);
}

/* Files: chosen, dropped or pasted. */

async function recognizeFile(file) {
  if (!file) return;
  try {
    const options = { imageOrientation: "from-image", colorSpaceConversion: "none" };
    const bitmap = await createImageBitmap(file, options);
    show(bitmap);
    await recognize(bitmap);
  } catch {
    showError(`${file.name || "The file"} is not an image that this browser can read.`);
  }
}

function show(bitmap) {
  const canvas = element("shown");
  const scale = Math.min(1, 900 / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, bitmap.width * scale);
  canvas.height = Math.max(1, bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  canvas.hidden = false;
  element("hint").hidden = true;
}

function imageIn(transfer) {
  return [...(transfer?.files ?? [])].find((file) => file.type.startsWith("image/"));
}

element("chosen").addEventListener("change", (event) => recognizeFile(event.target.files[0]));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  element("drop").classList.add("over");
});
document.addEventListener("dragleave", () => element("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  element("drop").classList.remove("over");
  choose("file");
  const file = imageIn(event.dataTransfer);
  if (file) void recognizeFile(file);
  else showError("Drop an image file.");
});
document.addEventListener("paste", (event) => {
  choose("file");
  void recognizeFile(imageIn(event.clipboardData));
});

/* Tabs. */

const WAYS = ["file", "camera", "drawing"];
let shownWay = "file";

function choose(way) {
  if (way === shownWay) return;
  shownWay = way;
  for (const name of WAYS) {
    element(name).hidden = name !== way;
    element(`tab-${name}`).setAttribute("aria-selected", String(name === way));
    element(`tab-${name}`).tabIndex = name === way ? 0 : -1;
  }
  if (way === "camera") void openCamera();
  else closeCamera();
}

for (const [index, name] of WAYS.entries()) {
  const tab = element(`tab-${name}`);
  tab.addEventListener("click", () => choose(name));
  tab.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = WAYS[(index + step + WAYS.length) % WAYS.length];
    choose(next);
    element(`tab-${next}`).focus();
  });
}

/* Camera: recognized continuously while it is shown. */

let stream = null;

async function openCamera() {
  const state = element("camera-state");
  if (!navigator.mediaDevices) {
    state.textContent = "The camera needs an address that starts with https or localhost.";
    return;
  }
  state.textContent = "Waiting for the camera";
  try {
    const wanted = { video: { facingMode: "environment", width: { ideal: 640 } }, audio: false };
    const opened = await navigator.mediaDevices.getUserMedia(wanted);
    if (shownWay !== "camera") return opened.getTracks().forEach((track) => track.stop());
    stream = opened;
    const video = element("video");
    video.srcObject = stream;
    await video.play();
    state.textContent = "";
    void followCamera(video);
  } catch (error) {
    const denied = error.name === "NotAllowedError";
    state.textContent = denied
      ? "The camera was not allowed. Allow it in the browser's settings of this page."
      : "No camera was found.";
  }
}

async function followCamera(video) {
  while (stream && shownWay === "camera") {
    if (video.videoWidth > 0) await recognize(video);
    await new Promise((resolve) => setTimeout(resolve, CAMERA_PAUSE));
  }
}

function closeCamera() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
}

/* Drawing. */

const board = element("board");
const pen = board.getContext("2d", { willReadFrequently: true });
let isDark = false;
let last = null;

function clearBoard(dark) {
  isDark = dark;
  pen.fillStyle = isDark ? "black" : "white";
  pen.fillRect(0, 0, board.width, board.height);
  pen.strokeStyle = isDark ? "white" : "black";
  pen.lineWidth = 22;
  pen.lineCap = pen.lineJoin = "round";
}

function placeOf(event) {
  const box = board.getBoundingClientRect();
  const scale = board.width / box.width;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

board.addEventListener("pointerdown", (event) => {
  board.setPointerCapture(event.pointerId);
  last = placeOf(event);
  stroke(event);
});
board.addEventListener("pointermove", (event) => last && stroke(event));
board.addEventListener("pointerup", () => {
  last = null;
  void recognize(board);
});
board.addEventListener("pointercancel", () => (last = null));

function stroke(event) {
  const next = placeOf(event);
  pen.beginPath();
  pen.moveTo(...last);
  pen.lineTo(...next);
  pen.stroke();
  last = next;
}

element("clear").addEventListener("click", () => clearBoard(isDark));
element("invert").addEventListener("click", () => {
  clearBoard(!isDark);
});

/* Offline use, where the browser offers it. */

if ("serviceWorker" in navigator && window.isSecureContext) {
  navigator.serviceWorker
    .register("service-worker.js")
    .then(() => navigator.serviceWorker.ready)
    .then(() => {
      element("offline").textContent = "The page also works offline.";
      document.body.dataset.offline = "ready";
    })
    .catch(() => undefined);
}

void start();
