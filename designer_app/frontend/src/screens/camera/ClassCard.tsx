/** One class: its name, the button to hold, its pictures, and files dropped on it. */

import { type DragEvent, type KeyboardEvent, type ReactElement, useState } from "react";
import { useStore } from "zustand";

import { imagesOf } from "../../browser/folders";
import { t } from "../../graph/translate";
import { type RecordingPage, messageOf } from "../../store/recording";
import { type ShownClass, numStored } from "../../store/recordedClasses";
import type { Source } from "./CameraView";
import { Pictures } from "./Pictures";

interface Props {
  readonly page: RecordingPage;
  readonly category: ShownClass;
  readonly source: Source;
  readonly isCameraOn: boolean;
}

const HOLD_KEY = "r";

export function ClassCard({ page, category, source, isCameraOn }: Props): ReactElement {
  const isRecording = useStore(page.store, (state) => state.recordingClass === category.id);
  const [isOver, setIsOver] = useState(false);
  const canHold = source === "camera" && isCameraOn;
  const isHoldKey = (event: KeyboardEvent): boolean =>
    event.key.toLowerCase() === HOLD_KEY &&
    !(event.ctrlKey || event.metaKey || event.altKey) &&
    !(event.target instanceof HTMLInputElement && event.target.type === "text");
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    // browsers release dropped items when the event ends
    const parts = [...event.dataTransfer.items]
      .filter((item) => item.kind === "file")
      .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
    imagesOf(parts).then(
      (files) => page.addFiles(category.id, files),
      (error: unknown) => page.say(messageOf(error)),
    );
  };
  return (
    <article
      className="pc-class"
      data-testid={`class-${category.name}`}
      data-over={isOver || undefined}
      data-recording={isRecording || undefined}
      aria-label={category.name}
      onKeyDown={(event) => {
        if (!canHold || !isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) page.recorder.start(category.id);
      }}
      onKeyUp={(event) => {
        if (event.key.toLowerCase() === HOLD_KEY) page.recorder.stop();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <ClassHead page={page} category={category} />
      <div className="pc-ways">
        {source === "camera" ? (
          <HoldButton {...{ page, category, isRecording }} disabled={!isCameraOn} />
        ) : (
          <button
            type="button"
            className="pd-button"
            data-kind="primary"
            data-testid={`add-current-${category.name}`}
            onClick={() => void page.addCurrent(category.id)}
          >
            {source === "drawing" ? t("Add drawing") : t("Add image")}
          </button>
        )}
        <label className="pd-button pc-choose">
          {t("Add files")}
          <input
            type="file"
            accept="image/*"
            multiple
            data-testid={`files-${category.name}`}
            aria-label={t("Add files to {name}", { name: category.name })}
            onChange={(event) => {
              page.addFiles(category.id, [...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </label>
      </div>
      <Pictures page={page} category={category} />
    </article>
  );
}

interface HoldProps {
  readonly page: RecordingPage;
  readonly category: ShownClass;
  readonly isRecording: boolean;
  readonly disabled: boolean;
}

function HoldButton({ page, category, isRecording, disabled }: HoldProps): ReactElement {
  const start = (): void => page.recorder.start(category.id);
  const stop = (): void => page.recorder.stop();
  const isPress = (event: KeyboardEvent): boolean => event.key === " " || event.key === "Enter";
  return (
    <button
      type="button"
      className="pd-button pc-hold"
      data-kind="primary"
      data-testid={`record-${category.name}`}
      aria-pressed={isRecording}
      aria-label={t("Hold to record {name}", { name: category.name })}
      disabled={disabled}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId); // also released outside
        start();
      }}
      onPointerUp={stop}
      onPointerCancel={stop}
      onLostPointerCapture={stop}
      onContextMenu={(event) => event.preventDefault()} // a long touch opens a menu otherwise
      onKeyDown={(event) => {
        if (!isPress(event)) return;
        event.preventDefault();
        if (!event.repeat) start();
      }}
      onKeyUp={(event) => {
        if (isPress(event)) stop();
      }}
      onBlur={stop}
    >
      {isRecording ? t("Recording ...") : t("Hold to record")}
    </button>
  );
}

interface HeadProps {
  readonly page: RecordingPage;
  readonly category: ShownClass;
}

function ClassHead({ page, category }: HeadProps): ReactElement {
  const [typed, setTyped] = useState<string | null>(null);
  const most = useStore(page.store, (state) => state.recording?.limits.class_name);
  const commit = (): void => {
    const name = typed?.trim();
    setTyped(null);
    if (name && name !== category.name) void page.renameClass(category.id, name);
  };
  const count = numStored(category);
  return (
    <header className="pc-class-head">
      <input
        type="text"
        className="pd-input pc-class-name"
        aria-label={t("Name of class {name}", { name: category.name })}
        value={typed ?? category.name}
        maxLength={most}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") setTyped(null);
        }}
      />
      <span className="pc-count" data-testid={`count-${category.name}`}>
        {t("{count:,} {count:image|images}", { count })}
      </span>
      <button
        type="button"
        className="pd-button"
        data-kind="plain"
        data-size="small"
        aria-label={t("Remove class {name}", { name: category.name })}
        onClick={() => void page.removeClass(category)}
      >
        {t("Remove")}
      </button>
    </header>
  );
}
