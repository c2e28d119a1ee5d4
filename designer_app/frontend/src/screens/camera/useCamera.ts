/** Camera of the page: started on request, or at once if it was allowed before. */

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

import {
  type CameraChoice,
  isCameraAllowed,
  listCameras,
  missingCamera,
  openCamera,
  showCamera,
} from "../../browser/camera";
import { t } from "../../graph/translate";

export interface Camera {
  readonly state: "off" | "starting" | "on";
  /** Why there is no camera. */
  readonly reason: string | null;
  readonly choices: readonly CameraChoice[];
  readonly deviceId: string | null;
  readonly start: (deviceId: string | null) => Promise<void>;
}

/** `lost` is called when the camera is unplugged or its permission is revoked. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, lost: () => void): Camera {
  const [state, setState] = useState<Camera["state"]>("off");
  const [reason, setReason] = useState<string | null>(() => missingCamera());
  const [choices, setChoices] = useState<readonly CameraChoice[]>([]);
  const [deviceId, setDeviceId] = useState<string | null>(null);
  const stream = useRef<MediaStream | null>(null);
  const onLost = useRef(lost);
  useEffect(() => {
    onLost.current = lost;
  });

  const start = useCallback(
    async (wanted: string | null): Promise<void> => {
      setState("starting");
      setReason(null);
      endStream(stream.current);
      try {
        const opened = await openCamera(wanted);
        const element = video.current;
        if (!element) return endStream(opened); // the page was left meanwhile
        stream.current = opened;
        watchEnd(opened, () => {
          if (stream.current !== opened) return;
          onLost.current();
          setState("off");
          setReason(
            t("The camera was disconnected or is no longer allowed. Stored images are safe."),
          );
        });
        await showCamera(element, opened);
        setDeviceId(opened.getVideoTracks()[0]?.getSettings().deviceId ?? null);
        setState("on");
        setChoices(await listCameras());
      } catch (error) {
        setState("off");
        setReason(error instanceof Error ? error.message : String(error));
      }
    },
    [video],
  );

  useEffect(() => {
    let isLeft = false;
    void isCameraAllowed().then((allowed) => {
      if (allowed && !isLeft && missingCamera() === null) void start(null);
    });
    return () => {
      isLeft = true;
      endStream(stream.current);
      stream.current = null;
    };
  }, [start]);

  return { state, reason, choices, deviceId, start };
}

function watchEnd(stream: MediaStream, ended: () => void): void {
  for (const track of stream.getTracks()) track.addEventListener("ended", ended);
}

function endStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
