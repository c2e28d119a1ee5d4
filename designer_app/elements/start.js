const wired = new WeakMap();
const ARCHIVE = /\.(zip|tar|tgz|gz|bz2|xz)$/i;
const IMAGE = /\.(jpe?g|png|bmp|gif|webp|tiff?)$/i;
let current;

/** Return true for images and archives; pipelines and replays belong to the page's other field. */
function isOurs(items) {
  const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.some((entry) => entry.isDirectory || ARCHIVE.test(entry.name))) return true;
  return entries.length > 1 && entries.every((entry) => IMAGE.test(entry.name));
}

function send(file, bar, say) {
  const { apiBase, token, maxBytes } = current.data;
  if (file.size > maxBytes) {
    return say(t("It has more than {most:,} bytes. Choose less.", { most: maxBytes }));
  }
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ file: file.name });  // the server derives the dataset name from it
  request.open("POST", `${apiBase}/datasets?${query}`);
  request.setRequestHeader("X-Designer-Token", token);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = (event) => {
    bar.value = event.total ? event.loaded / event.total : 0;
    say(bar.value < 1 ? t("Sending ...") : t("Looking at your images ..."));
  };
  request.onloadend = () => {
    bar.hidden = true;
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* the server is unreachable */ }
    if (request.status === 201) {
      say(t("Making a pipeline for them ..."));
      current.setTriggerValue("done", { name: answer.name, version: answer.version });
    } else {
      const error = answer.error ?? {
        message: t("The server did not answer."),
        cure: t("Try again."),
      };
      say(`${error.message} ${error.cure}`);
    }
  };
  bar.hidden = false;
  say(t("Sending ..."));
  request.send(file);
}

function show(root, made, say) {
  const panel = root.querySelector(".made");
  panel.hidden = !made;
  if (!made) return;
  const text = (place, words) => { panel.querySelector(place).textContent = words; };
  say(made.error ?? "");
  if (made.error) dispatchEvent(new Event("designer:shown"));
  panel.hidden = Boolean(made.error);
  text("h3", made.title ?? "");
  text(".found", made.summary ?? "");
  text(".plan", made.plan ?? "");
  for (const button of panel.querySelectorAll("button")) button.disabled = false;
}

export default (component) => {
  current = component;
  const root = component.parentElement;
  const [drop, archive, directory, folder, bar, status] = [".drop", ".archive", ".directory",
    ".folder", "progress", "[role=status]"].map((each) => root.querySelector(each));
  const say = (text) => { status.textContent = text; };
  show(root, component.data.made, say);
  if (wired.has(root)) return undefined;
  const ending = new AbortController();
  wired.set(root, ending);
  const hear = (kind, what) => addEventListener(kind, what, { signal: ending.signal, capture: true });
  const take = async (archived) => {
    say(t("Reading ..."));
    try {
      // an element's script has no base URL, so the address must be absolute
      const { href } = new URL(current.data.archives, location.href);
      const file = await archived(await import(href));
      if (file) send(file, bar, say);
    } catch (error) {
      say(error instanceof Error ? error.message : t("It cannot be read: try again."));
    }
  };
  archive.addEventListener("change", () => {
    const [file] = archive.files;
    archive.value = "";
    if (file) send(file, bar, say);
  });
  directory.addEventListener("change", () => {
    const files = [...directory.files];
    directory.value = "";
    if (files.length > 0) take(({ archiveOf }) => archiveOf(files));
  });
  folder.addEventListener("click", () => directory.click());
  for (const [place, what] of [[".run", "run"], [".open", "open"]]) {
    const button = root.querySelector(place);
    button.dataset.leadsTo = "design";
    button.addEventListener("click", () => {
      button.disabled = true;
      current.setTriggerValue(what, current.data.made.id);
    });
  }
  hear("dragover", (event) => {
    if (event.composedPath().includes(drop)) drop.classList.add("over");
    else drop.classList.remove("over");
  });
  // In the capture phase: before the page's field for pipelines, which ignores handled drops.
  hear("drop", (event) => {
    drop.classList.remove("over");
    const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === "file");
    if (!isOurs(items)) return;
    event.preventDefault();
    // browsers release dropped items when the event ends
    const parts = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
    take(({ archiveOfDropped }) => archiveOfDropped(parts));
  });
  return () => {
    ending.abort();
    wired.delete(root);
  };
};
