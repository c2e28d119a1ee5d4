/** Test page of an endpoint: sends an image, shows the probabilities of the classes. */

const MOST_CLASSES = 5;
const find = (selector) => document.querySelector(selector);
const drop = find(".drop");
const status = find(".status");
const result = find(".result");
const key = find(".key input");
let waiting = null;  // the image that is sent again once a key is entered

function say(text, isWrong = false) {
  status.textContent = text;
  status.classList.toggle("wrong", isWrong);
}

function askForKey(file) {
  waiting = file;
  find(".key").hidden = false;
  say(key.value ? t("Wrong key.") : t("This endpoint needs a key. Enter it above."), true);
  key.select();
}

async function classify(file) {
  say(t("Sending ..."));
  result.hidden = true;
  const headers = { "Content-Type": file.type || "application/octet-stream" };
  if (key.value) headers["Authorization"] = `Bearer ${key.value}`;
  try {
    const response = await fetch("/score", { method: "POST", headers, body: file });
    const answer = await response.json();
    if (response.status === 401) return askForKey(file);
    waiting = null;
    if (!response.ok) say(`${answer.error.message} ${answer.error.cure}`, true);
    else show(file, answer);
  } catch {
    say(t("The endpoint does not respond."), true);
  }
}

function show(file, answer) {
  say("");
  const image = result.querySelector("img");
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  result.querySelector("h2").textContent = answer.label;
  const classes = Object.entries(answer.probabilities).sort(([, a], [, b]) => b - a);
  const rows = classes.slice(0, MOST_CLASSES).map(([name, probability]) => {
    const row = document.createElement("li");
    const bar = document.createElement("meter");
    bar.value = probability;
    row.append(`${name} ${(100 * probability).toFixed(1)} %`, bar);
    return row;
  });
  result.querySelector("ol").replaceChildren(...rows);
  result.querySelector(".facts").textContent = `${answer.model}, ${answer.milliseconds} ms`;
  result.hidden = false;
}

key.addEventListener("change", () => {
  if (waiting) void classify(waiting);
});
find("input[type=file]").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) void classify(file);
  event.target.value = "";
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    const [file] = event.dataTransfer?.files ?? [];
    if (kind === "drop" && file) void classify(file);
  });
}
document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (file) void classify(file);
});
