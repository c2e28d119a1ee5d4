const GAP = 6;
const EDGE = 96;
const PAGE = 50;
const PAGES_KEPT = 60;
const AHEAD = 2; // rows drawn above and below the visible ones
const galleries = new WeakMap();

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** Cache of a gallery's sheets: each is requested once, the least recently used are dropped. */
class Sheets {
  constructor(onCome) {
    this.onCome = onCome;
    this.pages = new Map();
    this.failed = "";
  }

  begin(data) {
    const { token, ...what } = data;
    const same = JSON.stringify(what) === this.what;
    this.data = data;
    this.what = JSON.stringify(what);
    if (!same || this.failed) this.pages = new Map();
    this.failed = "";
    return same;
  }

  at(place) {
    const number = Math.floor(place / PAGE);
    const page = this.pages.get(number) ?? this.ask(number);
    this.pages.delete(number);
    this.pages.set(number, page); // most recently used last
    if (this.pages.size > PAGES_KEPT) this.pages.delete(this.pages.keys().next().value);
    return page.sheet ? { sheet: page.sheet, place: place % PAGE } : null;
  }

  ask(number) {
    const page = { sheet: null };
    void this.fetch(number, this.what)
      .then((sheet) => {
        page.sheet = sheet;
        this.onCome();
      })
      .catch((error) => {
        if (this.pages.get(number) !== page) return; // superseded by other images
        this.failed = error.message; // requested again when the page is redrawn
        this.onCome();
      });
    return page;
  }

  async fetch(number, what) {
    const { address, token, group, indices, count } = this.data;
    const start = number * PAGE;
    const query = indices
      ? `indices=${indices.slice(start, start + PAGE).join(",")}`
      : `group=${group}&offset=${start}&count=${Math.min(PAGE, count - start)}`;
    const answer = await fetch(`${address}?${query}`, { headers: { "X-Designer-Token": token } });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${body.error.message} ${body.error.cure}`);
    if (what !== this.what) throw new Error("Other images are wanted by now.");
    return body;
  }
}

class Gallery {
  constructor(root, send) {
    this.send = send;
    this.view = element("div", "view");
    this.view.tabIndex = 0;
    this.view.dataset.testid = "gallery";
    this.view.setAttribute("role", "listbox");
    this.view.setAttribute("aria-label", t("Images"));
    this.space = element("div", "space");
    this.caption = element("div", "caption");
    this.caption.setAttribute("aria-live", "polite");
    this.view.append(this.space);
    root.append(this.view, this.caption);
    this.tiles = new Map();
    this.sheets = new Sheets(() => this.come());
    this.focused = 0;
    this.awaited = null; // selected before its image was loaded
    this.view.addEventListener("scroll", () => this.draw(), { passive: true });
    this.view.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.view);
  }

  update(data, send) {
    this.send = send;
    const same = this.sheets.begin(data);
    this.count = data.count;
    if (!same) {
      for (const tile of this.tiles.values()) tile.remove();
      this.tiles.clear();
      this.view.scrollTop = 0;
      this.focused = 0;
      this.awaited = null;
      this.say(null);
    }
    this.draw();
  }

  come() {
    this.draw();
    if (this.awaited !== null) this.choose(this.awaited);
  }

  draw() {
    const width = this.view.clientWidth - GAP;
    if (width <= EDGE) return;
    this.columns = Math.max(1, Math.floor(width / (EDGE + GAP)));
    const rows = Math.ceil(this.count / this.columns);
    this.space.style.height = `${rows * (EDGE + GAP) + GAP}px`;
    const first = Math.max(0, Math.floor(this.view.scrollTop / (EDGE + GAP)) - AHEAD);
    const seen = Math.ceil(this.view.clientHeight / (EDGE + GAP)) + 2 * AHEAD;
    const wanted = new Set();
    const end = Math.min(this.count, (first + seen) * this.columns);
    for (let place = first * this.columns; place < end; place += 1) wanted.add(place);
    for (const [place, tile] of this.tiles) {
      if (wanted.has(place)) continue;
      tile.remove();
      this.tiles.delete(place);
    }
    for (const place of wanted) this.drawTile(place);
    if (this.sheets.failed) this.caption.textContent = this.sheets.failed;
  }

  drawTile(place) {
    let tile = this.tiles.get(place);
    if (!tile) {
      tile = element("button", "tile");
      tile.type = "button";
      tile.tabIndex = -1;
      tile.setAttribute("role", "option");
      tile.ariaLabel = t("Image {number} is loading", { number: place + 1 });
      tile.style.width = tile.style.height = `${EDGE}px`;
      tile.addEventListener("click", () => this.choose(place));
      tile.addEventListener("pointerenter", () => this.say(place));
      this.tiles.set(place, tile);
      this.space.append(tile);
    }
    tile.style.left = `${GAP + (place % this.columns) * (EDGE + GAP)}px`;
    tile.style.top = `${GAP + Math.floor(place / this.columns) * (EDGE + GAP)}px`;
    const found = this.sheets.at(place);
    const shown = found && tile.dataset.waiting !== "true" && tile.dataset.index !== undefined;
    if (shown) return;
    tile.dataset.waiting = String(!found);
    if (found) this.fill(tile, found);
  }

  fill(tile, { sheet, place }) {
    const image = sheet.images[place];
    const [column, row] = [place % sheet.columns, Math.floor(place / sheet.columns)];
    tile.style.backgroundImage = `url("${sheet.picture}")`;
    tile.style.backgroundPosition = `${-column * sheet.edge}px ${-row * sheet.edge}px`;
    tile.dataset.index = image.index;
    tile.dataset.shown = String(image.shown);
    tile.dataset.testid = `thumbnail-${image.index}`;
    tile.title = image.path;
    tile.ariaLabel = image.label === null ? image.path : `${image.path}, ${image.label}`;
  }

  choose(place) {
    const found = this.sheets.at(place);
    this.awaited = found ? null : place;
    if (found) this.send("chosen", found.sheet.images[found.place].index);
  }

  say(place) {
    const found = place === null ? null : this.sheets.at(place);
    const image = found?.sheet.images[found.place];
    this.caption.textContent = image
      ? t("{number} of {count}: {image}", {
          number: place + 1,
          count: this.count,
          image: image.label === null ? image.path : `${image.path} (${image.label})`,
        })
      : this.count
        ? t("{count:,} {count:image|images}. Click one, or press Enter, to follow it.", {
            count: this.count,
          })
        : t("There are no images here.");
  }

  key(event) {
    const steps = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: this.columns,
      ArrowUp: -this.columns,
      Home: -this.count,
      End: this.count,
    };
    if (event.key === "Enter") this.choose(this.focused);
    else if (event.key in steps) this.go(steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(step) {
    this.tiles.get(this.focused)?.removeAttribute("aria-current");
    this.focused = Math.max(0, Math.min(this.count - 1, this.focused + step));
    const top = Math.floor(this.focused / this.columns) * (EDGE + GAP);
    const bottom = top + EDGE + 2 * GAP;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    const below = bottom - this.view.clientHeight;
    if (below > this.view.scrollTop) this.view.scrollTop = below;
    this.draw();
    this.tiles.get(this.focused)?.setAttribute("aria-current", "true");
    this.say(this.focused);
  }
}

export default ({ data, parentElement, setTriggerValue }) => {
  let gallery = galleries.get(parentElement);
  if (!gallery) {
    gallery = new Gallery(parentElement, setTriggerValue);
    galleries.set(parentElement, gallery);
  }
  gallery.update(data, setTriggerValue);
  return () => {
    gallery.observer.disconnect();
    galleries.delete(parentElement);
  };
};
