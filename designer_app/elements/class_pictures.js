function drawRow({ name, images, pictures }) {
  const row = document.createElement("div");
  row.className = "row";
  row.dataset.testid = `class-pictures-${name}`;
  const [title, word, count, shown] = ["div", "b", "span", "div"].map((tag) => document.createElement(tag));
  title.className = "name";
  word.textContent = name || t("Without classes");
  count.textContent = t("{count:,} {count:image|images}", { count: images });
  title.append(word, count);
  shown.className = "pictures";
  shown.append(...pictures.map((address) => {
    const image = document.createElement("img");
    image.src = address;
    image.alt = "";
    return image;
  }));
  row.append(title, shown);
  return row;
}

export default ({ data, parentElement }) => {
  let rows = parentElement.querySelector(".rows");
  if (!rows) {
    rows = document.createElement("div");
    rows.className = "rows";
    rows.dataset.testid = "class-pictures";
    parentElement.append(rows);
  }
  rows.replaceChildren(...JSON.parse(data.rows).map(drawRow));
};
