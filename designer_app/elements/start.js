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
      say(t("Creating the pipeline ..."));
      const { name, version } = answer;
      current.setTriggerValue("done", { name, version });
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

function made(name, className, ...content) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...content);
  return element;
}

function classStrip({ name, images, pictures }) {
  const thumbnails = pictures.map((address) => {
    const image = made("img", "");
    image.src = address;
    image.alt = "";
    return image;
  });
  const count = t("{count:,} {count:image|images}", { count: images });
  const title = made("div", "name", made("b", "", name || t("Without classes")), made("span", "", count));
  const strip = made("div", "strip", title, made("div", "pictures", ...thumbnails));
  strip.dataset.testid = `class-pictures-${name}`;
  return strip;
}

function optionField(option, chosen) {
  const input = made("input", "");
  Object.assign(input, { type: "radio", name: "option", value: option.id, checked: option.id === chosen });
  input.dataset.testid = `start-option-${option.id}`;
  const words = [["b", option.label], ["span", option.about], ["span", option.time]];
  return made("label", "option", input, ...words.map(([tag, text]) => made(tag, "", text)));
}

/** Draw what differs between a pipeline that was just created and one that existed. */
function showOptions(panel, { was_known: isKnown, title, classes, options, option }) {
  panel.querySelector(".classes").replaceChildren(...(classes ?? []).map(classStrip));
  const field = panel.querySelector(".options");
  field.hidden = !options?.length;
  const legend = field.querySelector("legend");
  field.replaceChildren(legend, ...(options ?? []).map((each) => optionField(each, option)));
  const open = panel.querySelector(".open");
  panel.querySelector(".run").hidden = Boolean(isKnown);
  panel.querySelector(".again").hidden = !isKnown;
  open.classList.toggle("main", Boolean(isKnown));
  open.textContent = isKnown ? t("Open {title}", { title }) : t("Open pipeline");
}

function show(root, pipeline, say) {
  const panel = root.querySelector(".made");
  panel.hidden = !pipeline;
  if (!pipeline) return;
  const text = (place, words) => { panel.querySelector(place).textContent = words; };
  say(pipeline.error ?? "");
  if (pipeline.error) dispatchEvent(new Event("designer:shown"));
  panel.hidden = Boolean(pipeline.error);
  const { title } = pipeline;
  text("h3", pipeline.was_known ? t("Already imported: {title}", { title }) : title);
  text(".found", pipeline.summary);
  text(".plan", pipeline.plan);
  showOptions(panel, pipeline);
  for (const button of panel.querySelectorAll("button")) button.disabled = false;
}

export default (component) => {
  current = component;
  const root = component.parentElement;
  const [drop, archive, directory, folder, bar, status] = [".drop", ".archive", ".directory",
    ".folder", "progress", "[role=status]"].map((each) => root.querySelector(each));
  const say = (text) => { status.textContent = text; };
  const pipelineOf = () => JSON.parse(current.data.made);
  show(root, pipelineOf(), say);
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
      const option = root.querySelector(".option input:checked")?.value;
      current.setTriggerValue(what, { id: pipelineOf().id, option });
    });
  }
  root.querySelector(".again").addEventListener("click", (event) => {
    event.currentTarget.disabled = true;
    const { title: name, version } = pipelineOf();
    say(t("Creating the pipeline ..."));
    current.setTriggerValue("done", { name, version, again: true });
  });
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
