function span(className, text) {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

function drawEntry(entry, isOpen) {
  const place = document.createElement("li");
  const open = document.createElement("button");
  open.type = "button";
  open.className = "entry";
  open.dataset.testid = `entry-${entry.id}`;
  open.dataset.id = entry.id;
  open.ariaCurrent = isOpen ? "true" : "false";
  const head = span("head", "");
  head.append(span("title", entry.title), ...entry.badges.map((badge) => span("badge", badge)));
  open.append(head);
  if (entry.figure) {
    const figure = span("figure", entry.figure);
    if (entry.figure_name) figure.append(" ", span("name", entry.figure_name));
    open.append(figure);
  }
  open.append(span("text", entry.text));
  place.append(open);
  return place;
}

/** Scroll a single row of cards sideways to the open one, without scrolling the page. */
function reveal(list) {
  const place = list.querySelector('[aria-current="true"]')?.parentElement;
  if (!place || list.scrollWidth <= list.clientWidth) return;
  const beside = place.getBoundingClientRect().left - list.getBoundingClientRect().left;
  list.scrollLeft += beside - (list.clientWidth - place.clientWidth) / 2;
}

export default ({ data, parentElement, setTriggerValue }) => {
  let list = parentElement.querySelector(".entries");
  if (!list) {
    list = document.createElement("ul");
    list.className = "entries";
    parentElement.append(list);
  }
  const focused = parentElement.activeElement?.dataset.id;
  list.ariaLabel = data.label;
  list.replaceChildren(
    ...JSON.parse(data.entries).map((entry) => drawEntry(entry, entry.id === data.open)),
  );
  reveal(list);
  const buttons = [...list.querySelectorAll("button")];
  buttons.find((button) => button.dataset.id === focused)?.focus();
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const each of buttons) each.ariaCurrent = each === button ? "true" : "false";
      reveal(list);
      setTriggerValue("open", button.dataset.id);
    });
  }
};
