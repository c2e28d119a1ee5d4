const wired = new WeakMap();
let current;

const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");

async function take(file, say) {
  if (!file) return;
  if (file.size > current.data.maxBytes) {
    say(t("{file} is larger than {most:,} bytes: drop a pipeline.", {
      file: file.name,
      most: current.data.maxBytes,
    }));
    return;
  }
  const reader = new FileReader();
  reader.onload = () => current.setTriggerValue("file", {
    name: file.name,
    content: String(reader.result).split(",").at(-1),
  });
  reader.onerror = () => say(t("{file} cannot be read: try again.", { file: file.name }));
  reader.readAsDataURL(file);
}

// Accepts files dropped anywhere on the page while this element exists.
export default (component) => {
  current = component;
  const root = component.parentElement;
  if (wired.has(root)) return undefined;
  const ending = new AbortController();
  wired.set(root, ending);
  const veil = root.querySelector(".veil");
  const say = (text) => { root.querySelector("[role=status]").textContent = text; };
  const hear = (kind, what) => addEventListener(kind, what, { signal: ending.signal });
  hear("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  hear("dragleave", (event) => { if (!event.relatedTarget) veil.hidden = true; });
  hear("drop", (event) => {
    veil.hidden = true;
    // already handled by a file field, such as "Open file"
    if (!holdsFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    take(event.dataTransfer.files[0], say);
  });
  return () => {
    ending.abort();
    wired.delete(root);
  };
};
