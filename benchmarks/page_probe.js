// Goes into a page before its own scripts: what is drawn again, how often, and when it was seen.
(() => {
  const roots = [document];
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    roots.push(root);
    return root;
  };
  const find = (selector) => {
    for (const root of roots) {
      const found = root.querySelector(selector);
      if (found) return found;
    }
    return null;
  };

  // Redraws: React tells of each commit to what stands here, in production builds too.
  const COMPONENTS = new Set([0, 1, 11, 14, 15]);
  const PERFORMED_WORK = 1;
  let drawn = null;
  const visit = (fiber, node) => {
    const element = fiber.tag === 5 ? fiber.stateNode : null;
    const inside = element?.classList?.contains("react-flow__node") ? element.dataset.id : node;
    if (inside && COMPONENTS.has(fiber.tag) && fiber.flags & PERFORMED_WORK) drawn.add(inside);
    // a child that is the one of the commit before was not even looked at
    if (fiber.alternate && fiber.child === fiber.alternate.child) return;
    for (let child = fiber.child; child; child = child.sibling) visit(child, inside);
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    checkDCE: () => undefined,
    onCommitFiberRoot: (_id, root) => drawn && visit(root.current, null),
    onPostCommitFiberRoot: () => undefined,
    onCommitFiberUnmount: () => undefined,
  };

  // Frames: their times while something goes on.
  let frames = null;
  const tick = (time) => {
    if (!frames) return;
    frames.push(time);
    requestAnimationFrame(tick);
  };

  const LONGEST_WAIT = 60_000;
  // Sights: when a thing was there first, in milliseconds since the page was asked for.
  const seen = (selector) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const now = performance.now();
        if (find(selector)) resolve(now);
        else if (now > LONGEST_WAIT) reject(new Error(`${selector} was not seen in a minute`));
        else requestAnimationFrame(look);
      };
      look();
    });

  // Changes of an attribute, by the clock of the machine.
  const changes = (attribute, idOf = ({ dataset }) => dataset.testid) => {
    const told = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const at = performance.timeOrigin + performance.now();
        const id = idOf(target);
        if (id) told.push({ id, value: target.getAttribute(attribute), at });
      }
    });
    const options = { subtree: true, attributes: true, attributeFilter: [attribute] };
    for (const root of roots) observer.observe(root, options);
    return told;
  };

  // Where modules are in the window: from far away most have no boxes.
  const places = () => {
    const viewport = find(".react-flow__viewport");
    if (!viewport) return [];
    const { a, e, f } = new DOMMatrix(getComputedStyle(viewport).transform);
    const frame = viewport.closest(".react-flow").getBoundingClientRect();
    return [...viewport.querySelectorAll(".react-flow__node-module")].map((element) => {
      const place = new DOMMatrix(element.style.transform);
      const [x, y] = [frame.x + e + place.e * a, frame.y + f + place.f * a];
      const [width, height] = [element.style.width, element.style.height];
      return { id: element.dataset.id, x, y, width: parseFloat(width) * a, height: parseFloat(height) * a };
    });
  };

  window.probe = {
    places,
    find,
    seen,
    firstNode: () => seen(".react-flow__node"),
    startFrames: () => {
      frames = [];
      requestAnimationFrame(tick);
    },
    stopFrames: () => {
      const times = frames;
      frames = null;
      return times;
    },
    startRedraws: () => (drawn = new Set()),
    numRedrawn: () => drawn.size,
    stopRedraws: () => {
      const nodes = [...drawn];
      drawn = null;
      return nodes;
    },
    statuses: null,
    saves: null,
    verdicts: null,
    keys: [],
    watch: () => {
      window.probe.statuses = changes("data-status");
      window.probe.saves = changes("data-state");
      window.probe.verdicts = changes("data-verdict", () => "verdict");
      addEventListener("keydown", () => window.probe.keys.push(Date.now()), true);
    },
    zoom: () => {
      const flow = find(".react-flow__viewport");
      return flow ? new DOMMatrix(getComputedStyle(flow).transform).a : 0;
    },
  };
})();
