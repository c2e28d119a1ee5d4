/** Classes of the recording, and the field that adds one. */

import { type FormEvent, type ReactElement, useState } from "react";
import { useStore } from "zustand";

import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";
import type { Source } from "./CameraView";
import { ClassCard } from "./ClassCard";

interface Props {
  readonly page: RecordingPage;
  readonly source: Source;
  readonly isCameraOn: boolean;
}

export function ClassList({ page, source, isCameraOn }: Props): ReactElement {
  const classes = useStore(page.store, (state) => state.classes);
  const nothing = t("None of these");
  const hasNothing = classes.some(({ name }) => name.toLowerCase() === nothing.toLowerCase());
  return (
    <section className="pc-classes" aria-label={t("Classes")}>
      {classes.length === 0 && (
        <p className="pc-hint">
          {t("Name the classes that the model should learn: two or more, such as Cup and Pen.")}
        </p>
      )}
      {classes.map((category) => (
        <ClassCard key={category.id} {...{ page, category, source, isCameraOn }} />
      ))}
      {classes.length > 0 && source === "camera" && (
        <p className="pd-dim">
          {t("Hold the button, or hold R while a class has keyboard focus.")}
        </p>
      )}
      <NewClass page={page} isFirst={classes.length === 0} />
      {classes.length > 0 && !hasNothing && (
        <p className="pc-nothing">
          <button
            type="button"
            className="pd-button"
            data-size="small"
            data-testid="add-none-class"
            onClick={() => void page.addClass(nothing)}
          >
            {t("Add “None of these”")}
          </button>
          <span className="pd-dim">
            {t("With images of anything else, the model can say that it sees no class.")}
          </span>
        </p>
      )}
    </section>
  );
}

interface NewClassProps {
  readonly page: RecordingPage;
  readonly isFirst: boolean;
}

function NewClass({ page, isFirst }: NewClassProps): ReactElement {
  const [name, setName] = useState("");
  const most = useStore(page.store, (state) => state.recording?.limits.class_name);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (!name.trim()) return;
    setName("");
    void page.addClass(name);
  };
  return (
    <form className="pc-new-class" onSubmit={add}>
      <input
        className="pd-input"
        data-testid="new-class"
        aria-label={t("Name of a new class")}
        placeholder={isFirst ? t("Name of the first class") : t("Name of another class")}
        value={name}
        maxLength={most}
        onChange={(event) => setName(event.target.value)}
      />
      <button
        type="submit"
        className="pd-button"
        data-kind={isFirst ? "primary" : undefined}
        data-testid="add-class"
        disabled={!name.trim()}
      >
        {t("Add class")}
      </button>
    </form>
  );
}
