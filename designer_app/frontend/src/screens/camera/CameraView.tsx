/** View of the page Camera: the camera, or a drawing, or a picture file where there is none. */

import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useStore } from "zustand";

import { missingCamera, pictureOf } from "../../browser/camera";
import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";
import { DrawingField } from "./DrawingField";
import type { Camera } from "./useCamera";

export type Source = "camera" | "drawing" | "file";

interface Props {
  readonly page: RecordingPage;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly camera: Camera;
  readonly source: Source;
  readonly setSource: (source: Source) => void;
}

export function CameraView({ page, video, camera, source, setSource }: Props): ReactElement {
  const drawing = useRef<HTMLCanvasElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const isRecording = useStore(page.store, (state) => state.recordingClass !== null);
  const showing = useRef<Source>(source);
  useEffect(() => {
    showing.current = source;
  });
  useEffect(() => {
    const scratch = document.createElement("canvas");
    const shown = { camera: video, drawing, file: picture };
    page.setView(() => {
      const element = shown[showing.current].current;
      return element ? pictureOf(element, scratch) : Promise.resolve(null);
    });
    return () => page.setView(() => Promise.resolve(null));
  }, [page, video]);
  const name = useId();
  const choice = { name, chosen: source, choose: setSource };
  return (
    <section className="pc-view" aria-label={t("View")}>
      <div className="pc-sources" role="radiogroup" aria-label={t("Source of images")}>
        <SourceChoice {...choice} value="camera" label={t("Camera")} />
        <SourceChoice {...choice} value="drawing" label={t("Drawing")} />
        <SourceChoice {...choice} value="file" label={t("File")} />
      </div>
      <div className="pc-stage" data-recording={isRecording || undefined} data-source={source}>
        <video
          ref={video}
          data-testid="camera-video"
          hidden={source !== "camera" || camera.state !== "on"}
          muted
          playsInline
          aria-label={t("Image of the camera")}
        />
        {source === "camera" && camera.state !== "on" && (
          <div className="pc-start">
            {camera.reason && (
              <p role="alert" data-testid="camera-reason">
                {camera.reason}
              </p>
            )}
            <button
              type="button"
              className="pd-button"
              data-kind="primary"
              data-testid="camera-start"
              disabled={camera.state === "starting" || missingCamera() !== null}
              onClick={() => void camera.start(null)}
            >
              {camera.state === "starting" ? t("Starting ...") : t("Start camera")}
            </button>
            <p className="pd-dim">{t("Or draw images, or drop files on a class.")}</p>
          </div>
        )}
        {source === "drawing" && <DrawingField canvas={drawing} />}
        {source === "file" && <PictureFile image={picture} />}
      </div>
      {source === "camera" && camera.state === "on" && camera.choices.length > 1 && (
        <label className="pc-device">
          <span>{t("Camera")}</span>
          <select
            className="pd-input"
            value={camera.deviceId ?? ""}
            onChange={(event) => void camera.start(event.target.value)}
          >
            {camera.choices.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: Source;
  readonly chosen: Source;
  readonly choose: (source: Source) => void;
  readonly label: string;
}

function SourceChoice({ name, value, chosen, choose, label }: ChoiceProps): ReactElement {
  return (
    <label className="pc-source">
      <input
        type="radio"
        name={name}
        checked={chosen === value}
        onChange={() => choose(value)}
        data-testid={`source-${value}`}
      />
      {label}
    </label>
  );
}

/** A picture file to try the model with. */
function PictureFile({
  image,
}: {
  readonly image: RefObject<HTMLImageElement | null>;
}): ReactElement {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => () => URL.revokeObjectURL(address ?? ""), [address]);
  return (
    <div className="pc-file">
      {address && <img ref={image} src={address} alt={t("Chosen image")} />}
      <label className="pd-button pc-choose">
        {t("Select image")}
        <input
          type="file"
          accept="image/*"
          data-testid="view-file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) setAddress(URL.createObjectURL(file));
            event.target.value = "";
          }}
        />
      </label>
    </div>
  );
}
