const states = new WeakMap();

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
  overlay.parentElement.hidden = !prediction.overlay;
  if (prediction.overlay) overlay.src = `data:image/png;base64,${prediction.overlay}`;
  const confusions = result.querySelector(".confusions");
  confusions.hidden = !prediction.confusions;
  confusions.textContent = prediction.confusions ?? "";
  offerToKeep(result, prediction);
  result.querySelector("h3").textContent =
    t("{category}, {percent} sure", {
      category: prediction.category,
      percent: percent(prediction.classes[0].probability),
    });
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

/** Offer the most likely classes as labels for an image that the user keeps; none is chosen. */
function offerToKeep(root, prediction) {
  const names = prediction.classes.map(({ name }) => name);
  const select = root.querySelector("select");
  if (select.shownPicture !== prediction.seen) { // a choice belongs to one picture
    select.shownPicture = prediction.seen;
    const none = new Option(t("Choose the true class"), "");
    select.replaceChildren(none, ...names.map((name) => new Option(name, name)));
  }
  const keep = root.querySelector(".keep-it");
  const update = () => { keep.disabled = Boolean(prediction.kept) || !select.value; };
  select.onchange = update;
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
      state.say(t("Looking ..."));
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

export default (component) => {
  const root = component.parentElement;
  const known = states.get(root);
  const prediction = component.data.told;
  show(root, prediction);
  if (known) {
    known.component = component;
    if (prediction) known.say(prediction.error ?? "");
    return undefined;
  }
  const [field, file, status] = [".try", "input[type=file]", "[role=status]"].map((each) =>
    root.querySelector(each));
  const state = { component, say: (text) => { status.textContent = text; } };
  states.set(root, state);
  if (prediction?.error) state.say(prediction.error);
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    file.value = "";
    takeFile(state, chosen);
  });
  field.addEventListener("paste", (event) => takeFile(state, event.clipboardData?.files[0]));
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("over");
  });
  field.addEventListener("dragleave", () => field.classList.remove("over"));
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    field.classList.remove("over");
    takeFile(state, event.dataTransfer.files[0]);
  });
  const keep = root.querySelector(".keep-it");
  keep.addEventListener("click", () => {
    if (!state.sent) return state.say(t("Choose the picture again to keep it."));
    keep.disabled = true;
    const category = root.querySelector("select").value;
    state.component.setTriggerValue("keep", { ...state.sent, category });
  });
  const stop = useCamera(root, state);
  return () => {
    stop();
    states.delete(root);
  };
};
