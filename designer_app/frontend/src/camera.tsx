/** Page Camera: its own page and script, without Streamlit. */

import { createRoot } from "react-dom/client";

import { createApi } from "./api/client";
import type { PageEntry } from "./screens/camera/AppNavigation";
import { CameraScreen } from "./screens/camera/CameraScreen";
import { cameraStyles } from "./screens/camera/styleSheet";
import { RecordingPage } from "./store/recording";

function start(host: HTMLElement): void {
  const sheet = new CSSStyleSheet(); // allowed by a policy without inline styles
  sheet.replaceSync(cameraStyles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const frame = document.createElement("div");
  frame.className = "pd-root";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const showTheme = (): void => {
    const theme = dark.matches ? "dark" : "light";
    frame.dataset["theme"] = document.documentElement.style.colorScheme = theme;
  };
  dark.addEventListener("change", showTheme);
  showTheme();
  host.replaceChildren(frame);
  const page = new RecordingPage(createApi({ base: "/api", token: host.dataset["token"] ?? "" }));
  const pages = JSON.parse(host.dataset["pages"] ?? "[]") as PageEntry[];
  createRoot(frame).render(<CameraScreen page={page} pages={pages} />);
  void page.open(location.search);
}

const host = document.getElementById("camera");
if (host) start(host);
