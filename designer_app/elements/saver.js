function button(name, save) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = name;
  made.ariaLabel = t("Save the chart as {format}", { format: name });
  made.dataset.testid = `save-${name.toLowerCase()}`;
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await save();
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function pipelineOf({ document: address, token }) {
  const answer = await fetch(address, { headers: { "X-Designer-Token": token } });
  return answer.ok ? answer.json() : null;
}

async function save(root, data, format, said) {
  const drawn = document.querySelector(`.${data.chart} svg.marks`);
  if (!drawn) {
    said.textContent = t("The chart is still being drawn: try again.");
    return;
  }
  said.textContent = "";
  const { chartSvg, chartPng } = await import(new URL(data.bundle, location.href).href);
  const pipeline = await pipelineOf(data);
  const colour = getComputedStyle(root.host).getPropertyValue("--st-background-color");
  const svg = chartSvg(drawn, colour, pipeline);
  const blob =
    format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await chartPng(svg, pipeline);
  download(blob, `${data.name}.${format}`);
}

export default ({ data, parentElement }) => {
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const buttons = ["PNG", "SVG"].map((name) =>
    button(name, () => save(parentElement, data, name.toLowerCase(), said)),
  );
  for (const old of parentElement.querySelectorAll(".saver")) old.remove();
  const row = document.createElement("div");
  row.className = "saver";
  const what = document.createElement("small");
  what.textContent = t("Save as");
  row.append(what, ...buttons, said);
  parentElement.append(row);
};
