const fitted = new WeakMap();

// Fit the element to the bottom of the window, whatever is above it.
function fit(root, signal) {
  const host = root.host ?? root;
  const measure = () => {
    if (signal.aborted) return;
    const top = Math.max(0, host.getBoundingClientRect().top);
    host.style.display = "block";
    host.style.height = `${Math.max(320, window.innerHeight - top)}px`;
  };
  measure();
  addEventListener("resize", measure, { signal });
  // Observe the host too: late page styles move and widen it. Measure in the next frame, because
  // resizing an element inside its own observer is an error.
  const observer = new ResizeObserver(() => requestAnimationFrame(measure));
  observer.observe(document.body);
  observer.observe(host);
  signal.addEventListener("abort", () => observer.disconnect());
}

const watched = new WeakSet();

// Starts of the message in Streamlit, and as replaced by `designer_app.server.page_shell`.
const LOST = ["Connection error", t("The server is not responding")];

// Streamlit's dialog of a lost connection would cover the editor, which reports it and continues.
function closeConnectionBox(signal) {
  if (watched.has(signal)) return;
  watched.add(signal);
  const observer = new MutationObserver(() => {
    for (const box of document.querySelectorAll('[data-testid="stDialog"]')) {
      if (!LOST.some((start) => box.textContent.startsWith(start))) continue;
      box.querySelector('button[aria-label="Close"]')?.click();
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}

// A screen among other elements has the height that Python sets.
function place(root, height) {
  const host = root.host ?? root;
  host.style.display = "block";
  host.style.height = height;
}

// Streamlit calls for each change of data or theme. A call superseded while it waited for the bundle
// is unmounted when it is done, although the later one uses the same root.
const latest = new WeakMap();

export default async (component) => {
  const root = component.parentElement;
  latest.set(root, component);
  const data = JSON.parse(component.data.mount);
  const { bundle: files, height } = data;
  if (!fitted.has(root)) {
    fitted.set(root, new AbortController());
    if (height) place(root, height);
    else fit(root, fitted.get(root).signal);
  }
  const { js, css } = files;
  for (const file of css) {
    const href = new URL(file, location.href).href;
    if (root.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    root.prepend(link);
  }
  let bundle;
  try {
    bundle = await import(new URL(js, location.href).href);
  } catch {
    const words = document.createElement("p");
    words.textContent = t("The editor could not be loaded. Reload this page.");
    root.append(words);
    return undefined;
  }
  closeConnectionBox(fitted.get(root).signal);
  const leave = await bundle.default({ ...component, data });
  return () => {
    if (latest.get(root) !== component) return;
    fitted.get(root)?.abort();
    fitted.delete(root);
    if (typeof leave === "function") leave();
  };
};
