const states = new WeakMap();
/** Lead of the most probable class over the next one, below which there is no answer. */
const UNDECIDED = 0.1;

function percent(probability) {
  const text = (100 * probability).toFixed(1);
  return probability > 0 && text === "0.0" ? "< 0.1 %" : `${text} %`;
}

function show(root, prediction) {
  const result = root.querySelector(".result");
  result.hidden = !prediction || Boolean(prediction.error);
  if (!prediction || prediction.error) return;
  result.querySelector(".seen").src = `data:image/png;base64,${prediction.seen}`;
  const overlay = result.querySelector(".overlay");
  overlay.hidden = result.querySelector(".heat").hidden = !prediction.overlay;
  if (prediction.overlay) overlay.src = `data:image/png;base64,${prediction.overlay}`;
  const confusions = result.querySelector(".confusions");
  confusions.hidden = !prediction.confusions;
  confusions.textContent = prediction.confusions ?? "";
  offerToKeep(result, prediction);
  showSimilar(result, prediction.similar);
  result.querySelector("h3").textContent = verdict(prediction);
  result.querySelector("ol").replaceChildren(...prediction.classes.map(({ name, probability }) => {
    const row = document.createElement("li");
    const [word, number, bar] = ["span", "b", "i"].map((tag) => document.createElement(tag));
    word.textContent = name;
    number.textContent = percent(probability);
    bar.style.setProperty("--share", `${100 * probability}%`);
    row.append(word, number, bar);
    return row;
  }));
}

/** Return the most probable class, or the classes that are about equally probable. */
function verdict({ accepted, classes }) {
  const [first, second] = classes;
  const likeliest = { category: first.name, percent: percent(first.probability) };
  if (accepted === false) return t("I do not know. Perhaps {category} ({percent})", likeliest);
  if (second && first.probability - second.probability < UNDECIDED) {
    return t("Undecided: {first} or {second}", { first: first.name, second: second.name });
  }
  return t("{category}, {percent} sure", likeliest);
}

/** Show the training images most similar to the image, after a request for them. */
function showSimilar(root, similar) {
  root.querySelector(".find-similar").hidden = Boolean(similar);
  const place = root.querySelector(".similar");
  place.hidden = !similar;
  if (!similar) return;
  const verdict = document.createElement("p");
  verdict.textContent = similar.verdict;
  verdict.classList.toggle("unlike", Boolean(similar.unlike));
  const pictures = document.createElement("div");
  pictures.replaceChildren(...similar.neighbors.map(({ label, distance, picture }) => {
    const [figure, image, caption] = ["figure", "img", "figcaption"].map((tag) =>
      document.createElement(tag));
    if (picture) image.src = picture;
    image.alt = "";
    caption.textContent = `${label ?? "–"} ${distance.toFixed(2)}`;
    figure.append(image, caption);
    return figure;
  }));
  place.replaceChildren(verdict, pictures);
}

/** Offer all classes as labels for an image that the user keeps; none is chosen. */
function offerToKeep(root, prediction) {
  const { names } = prediction;
  const field = root.querySelector(".true-class");
  if (field.shownPicture !== prediction.seen) { // a choice belongs to one picture
    field.shownPicture = prediction.seen;
    field.value = "";
    root.querySelector("datalist").replaceChildren(...names.map((name) => new Option(name, name)));
  }
  const keep = root.querySelector(".keep-it");
  const update = () => { keep.disabled = Boolean(prediction.kept) || !names.includes(field.value); };
  field.oninput = update;
  root.querySelector(".kept").textContent = prediction.kept ?? "";
  update();
}

function takeFile(state, file) {
  if (!file) return;
  const { maxBytes } = state.component.data;
  if (!file.type.startsWith("image/")) {
    state.say(t("{file} is not an image. Choose a JPEG or PNG file.", {
      file: file.name || t("This file"),
    }));
  } else if (file.size > maxBytes) {
    state.say(t("The image is larger than {size} MB. Choose a smaller one.", { size: maxBytes / 1e6 }));
  } else {
    const reader = new FileReader();
    reader.onload = () => {
      state.say(t("Classifying ..."));
      state.sent = {
        name: file.name || "pasted.png",
        content: String(reader.result).split(",").at(-1),
      };
      state.component.setTriggerValue("picture", state.sent);
    };
    reader.onerror = () => state.say(t("The image cannot be read. Try again."));
    reader.readAsDataURL(file);
  }
}

function useCamera(root, state) {
  const [camera, video, shoot] = [".camera", "video", ".shoot"].map((each) => root.querySelector(each));
  const stop = () => {
    for (const track of video.srcObject?.getTracks() ?? []) track.stop();
    video.srcObject = null;
    video.hidden = shoot.hidden = true;
    camera.hidden = false;
  };
  camera.hidden = !navigator.mediaDevices?.getUserMedia;
  camera.addEventListener("click", async () => {
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
      await video.play();
      video.hidden = shoot.hidden = false;
      camera.hidden = true;
    } catch {
      state.say(t("No camera is available to this page."));
    }
  });
  shoot.addEventListener("click", () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext("2d").drawImage(video, 0, 0);
    stop();
    canvas.toBlob((blob) => takeFile(state, new File([blob], "camera.png", { type: "image/png" })));
  });
  return stop;
}

/** Take images dropped or pasted anywhere in the dialog or pane around the field. */
function takeAnywhere(root, state, ending) {
  const host = root.host ?? root;
  const area = host.closest("[role=dialog], [data-drop-images]") ?? host;
  const mark = (isOver) => host.classList.toggle("over", isOver);
  const hear = (kind, what) => area.addEventListener(kind, what, { signal: ending.signal });
  hear("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  hear("dragleave", (event) => mark(area.contains(event.relatedTarget)));
  hear("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    mark(false);
    takeFile(state, event.dataTransfer.files[0]);
  });
  hear("paste", (event) => takeFile(state, event.clipboardData?.files[0]));
}

/** The file that the caller gives: an image that was dropped on a node. */
function takeGiven(state, { file }) {
  if (!file || file === state.given) return;
  state.given = file;
  takeFile(state, file);
}

export default (component) => {
  const root = component.parentElement;
  const known = states.get(root);
  const prediction = component.data.told && JSON.parse(component.data.told);
  show(root, prediction);
  if (known) {
    known.component = component;
    takeGiven(known, component.data);
    if (prediction) known.say(prediction.error ?? "");
    return undefined;
  }
  const [file, status, heat] = ["input[type=file]", "[role=status]", ".heat input"].map((each) =>
    root.querySelector(each));
  const state = { component, say: (text) => { status.textContent = text; } };
  states.set(root, state);
  if (prediction?.error) state.say(prediction.error);
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    file.value = "";
    takeFile(state, chosen);
  });
  const ending = new AbortController();
  takeAnywhere(root, state, ending);
  const images = root.querySelector(".images");
  heat.addEventListener("input", () => images.style.setProperty("--heat", heat.value / 100));
  const keep = root.querySelector(".keep-it");
  keep.addEventListener("click", () => {
    if (!state.sent) return state.say(t("Choose the picture again to keep it."));
    keep.disabled = true;
    const category = root.querySelector(".true-class").value;
    state.component.setTriggerValue("keep", { ...state.sent, category });
  });
  root.querySelector(".find-similar").addEventListener("click", () => {
    if (!state.sent) return state.say(t("Choose the picture again to compare it."));
    state.say(t("Comparing ..."));
    state.component.setTriggerValue("similar", state.sent);
  });
  const stop = useCamera(root, state);
  takeGiven(state, component.data);
  return () => {
    stop();
    ending.abort();
    states.delete(root);
  };
};
