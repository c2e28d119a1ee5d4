function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text) made.textContent = text;
  return made;
}

function drawActions(card, send) {
  const actions = element("div", "actions");
  if (card.open_label) {
    const open = element("button", "action main", card.open_label);
    open.dataset.testid = `open-${card.id}`;
    open.ariaLabel = `${card.open_label}: ${card.title}`;
    open.dataset.leadsTo = "design";
    open.addEventListener("click", () => send("open", card.id));
    actions.append(open);
  }
  if (card.watch) {
    const watch = element("button", "action", `\u25b6 ${t("Watch")}`);
    watch.dataset.testid = `watch-${card.watch}`;
    watch.title = t("Play a recording of {title}: nothing is run", { title: card.title });
    watch.addEventListener("click", () => send("watch", card.watch));
    actions.append(watch);
  }
  for (const button of actions.children) button.type = "button";
  return actions;
}

function drawCard(card, send) {
  const place = element("div", "card");
  const open = element("button", "open");
  open.type = "button";
  open.dataset.testid = card.test_id;
  const picture = element("span", "picture");
  picture.innerHTML = card.picture;
  const title = element("span", "title", card.title);
  if (card.number) title.prepend(element("span", "number", card.number));
  open.append(picture, title);
  if (card.badge || card.figure) {
    const result = element("span", "result");
    if (card.figure) result.append(element("b", "", card.figure), element("span", "", card.figure_name));
    if (card.badge) result.append(element("span", "badge", card.badge));
    open.append(result);
  }
  if (card.facts) open.append(element("span", "facts", card.facts));
  open.append(element("span", "text", card.text));
  open.dataset.leadsTo = "design";
  open.addEventListener("click", () => send("open", card.id));
  place.append(open);
  if (card.open_label || card.watch) place.append(drawActions(card, send));
  if (card.removable) {
    const remove = element("button", "remove", "\u00d7");
    remove.type = "button";
    remove.dataset.testid = `delete-${card.id}`;
    remove.title = remove.ariaLabel = t("Delete {title}", { title: card.title });
    remove.addEventListener("click", () => send("remove", card.id));
    place.append(remove);
  }
  return place;
}

export default ({ data, parentElement, setTriggerValue }) => {
  let cards = parentElement.querySelector(".cards");
  if (!cards) {
    cards = element("div", "cards");
    parentElement.append(cards);
  }
  cards.replaceChildren(...JSON.parse(data.cards).map((card) => drawCard(card, setTriggerValue)));
};
