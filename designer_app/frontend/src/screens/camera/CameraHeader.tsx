/** Head of the page Camera: the way back, the recording, and where the pictures stay. */

import type { ReactElement } from "react";
import { useStore } from "zustand";

import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";

const NEW = "";

export function CameraHeader({ page }: { readonly page: RecordingPage }): ReactElement {
  const all = useStore(page.store, (state) => state.all);
  const name = useStore(page.store, (state) => state.recording?.name ?? "");
  const names = all.some((one) => one.name === name) ? all.map((one) => one.name) : [name];
  return (
    <header className="pc-header">
      <nav aria-label={t("Pages")} className="pc-links">
        <a className="pd-link" href="/">
          {t("Home")}
        </a>
        <a className="pd-link" href="/data">
          {t("Data")}
        </a>
      </nav>
      <h1>{t("Camera")}</h1>
      <label className="pc-recording">
        <span>{t("Recording")}</span>
        <select
          className="pd-input"
          data-testid="recording-name"
          value={name}
          onChange={(event) => void page.change(event.target.value || null)}
        >
          {names.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
          <option value={NEW}>{t("New recording")}</option>
        </select>
      </label>
      <p className="pc-privacy">
        {t("Everything stays on this machine. Location and other metadata are removed.")}
      </p>
    </header>
  );
}
