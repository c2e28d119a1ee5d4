/**
 * The editor in a shadow root without Streamlit, for development and tests:
 * `standalone.html?pipeline=ID&token=TOKEN[&run=ID][&theme=dark]`, served by `vite` next to a
 * running app (`DESIGNER_APP=http://127.0.0.1:8501 npx vite`).
 */

import mount, { type ComponentArguments } from "./main";

const asked = new URLSearchParams(location.search);
const host = document.getElementById("host");
if (!host) throw new Error("standalone.html has no element #host: put it back.");

if (asked.get("theme") === "dark") {
  host.style.setProperty("--st-background-color", "#1a1f28");
  host.style.setProperty("--st-secondary-background-color", "#12161d");
  host.style.setProperty("--st-text-color", "#e8ecf2");
  host.style.setProperty("--st-primary-color", "#6c9cff");
}

const parentElement = host.attachShadow({ mode: "open" });
const component = (pipelineId: string): ComponentArguments => ({
  data: {
    protocol: 1,
    apiBase: asked.get("api") ?? "/api",
    token: asked.get("token") ?? "",
    pipelineId,
    runId: asked.get("run"),
    ...(asked.has("replay") ? { screen: "replay" as const } : {}),
    replayId: asked.get("replay"),
  },
  parentElement,
  setStateValue: () => undefined,
  setTriggerValue: (name, value) => {
    if (name === "open" && typeof value === "object" && value && "pipeline_id" in value) {
      mount(component(String(value.pipeline_id)));
    }
  },
});

mount(component(asked.get("pipeline") ?? ""));
