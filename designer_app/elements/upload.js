const wired = new WeakSet();
let current;

function send(file, name, bar, say) {
  const { apiBase, token, maxBytes } = current.data;
  if (file.size > maxBytes) {
    return say(t("The file has more than {most:,} bytes. Choose another.", { most: maxBytes }));
  }
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ file: file.name });
  if (name) query.set("name", name);  // without it the server uses the file name
  request.open("POST", `${apiBase}/datasets?${query}`);
  request.setRequestHeader("X-Designer-Token", token);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = (event) => {
    bar.value = event.total ? event.loaded / event.total : 0;
    say(bar.value < 1 ? t("Sending ...") : t("Unpacking and checking ..."));
  };
  request.onloadend = () => {
    bar.hidden = true;
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* the server is unreachable */ }
    if (request.status === 201) {
      say(t("Saved as {source}.", { source: answer.source }));
      current.setTriggerValue("done", answer.source);
    } else {
      const error = answer.error ?? {
        message: t("The server did not answer."),
        cure: t("Try again."),
      };
      say(`${error.message} ${error.cure}`);
    }
  };
  bar.hidden = false;
  request.send(file);
}

export default (component) => {
  current = component;
  const root = component.parentElement;
  if (wired.has(root)) return;
  wired.add(root);
  const [drop, name, file, bar, status] = [".drop", "input[type=text]", "input[type=file]",
    "progress", "[role=status]"].map((each) => root.querySelector(each));
  const say = (text) => { status.textContent = text; };
  const take = (chosen) => {
    if (!chosen) return;
    send(chosen, name.value.trim(), bar, say);
  };
  file.addEventListener("change", () => take(file.files[0]));
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer.files[0]);
  });
};
