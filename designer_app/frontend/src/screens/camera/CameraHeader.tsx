/** Head of the page Camera: the recording, and where the pictures stay. */

import { type ReactElement, useState } from "react";
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
      <DeleteButton key={name} page={page} />
      <p className="pc-privacy">
        {t("Everything stays on this machine. Location and other metadata are removed.")}
      </p>
    </header>
  );
}

/** Asks once before it deletes the recording. */
function DeleteButton({ page }: { readonly page: RecordingPage }): ReactElement {
  const [isAsking, setIsAsking] = useState(false);
  const count = useStore(page.store, (state) =>
    state.classes.reduce((sum, { pictures }) => sum + pictures.length, 0),
  );
  if (!isAsking) {
    return (
      <button
        type="button"
        className="pd-button"
        data-kind="plain"
        data-size="small"
        data-testid="delete-recording"
        onClick={() => setIsAsking(true)}
      >
        {t("Delete recording")}
      </button>
    );
  }
  return (
    <span className="pc-ways" role="group" aria-label={t("Delete this recording?")}>
      <button
        type="button"
        className="pd-button"
        data-kind="danger"
        data-size="small"
        data-testid="delete-recording-go"
        autoFocus
        onClick={() => void page.deleteRecording()}
      >
        {t("Delete {count:,} {count:image|images}", { count })}
      </button>
      <button
        type="button"
        className="pd-button"
        data-size="small"
        onClick={() => setIsAsking(false)}
      >
        {t("Cancel")}
      </button>
    </span>
  );
}
