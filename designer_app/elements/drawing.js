export default ({ data, parentElement }) => {
  let box = parentElement.querySelector(".drawing");
  if (!box) {
    box = document.createElement("div");
    box.className = "drawing";
    parentElement.append(box);
  }
  box.innerHTML = data.svg;
};
