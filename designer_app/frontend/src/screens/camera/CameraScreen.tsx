/** Page Camera: classes with pictures on one side, the camera on the other, then train and try. */

import { type ReactElement, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";

import { missingCamera } from "../../browser/camera";
import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";
import { LoadingScreen } from "../../ui/LoadingScreen";
import { AppNavigation, type PageEntry } from "./AppNavigation";
import { CameraHeader } from "./CameraHeader";
import { CameraView, type Source } from "./CameraView";
import { ClassList } from "./ClassList";
import { LivePanel } from "./LivePanel";
import { NoticeBar } from "./NoticeBar";
import { TrainPanel } from "./TrainPanel";
import { useCamera } from "./useCamera";

const REFRESH_MILLISECONDS = 5000;

interface Props {
  readonly page: RecordingPage;
  readonly pages: readonly PageEntry[];
}

export function CameraScreen({ page, pages }: Props): ReactElement {
  const recording = useStore(page.store, (state) => state.recording);
  const failed = useStore(page.store, (state) => state.failed);
  useEffect(() => {
    const refresh = (): void => {
      if (!document.hidden) void page.refresh();
    };
    const stop = (): void => page.recorder.stop();
    const timer = setInterval(refresh, REFRESH_MILLISECONDS);
    addEventListener("focus", refresh);
    addEventListener("blur", stop); // a key released elsewhere is never seen
    return () => {
      clearInterval(timer);
      removeEventListener("focus", refresh);
      removeEventListener("blur", stop);
    };
  }, [page]);
  return (
    <div className="pc-page pd-scroll" data-testid="camera-page">
      <AppNavigation pages={pages} />
      {recording ? (
        <OpenRecording page={page} />
      ) : (
        <LoadingScreen failed={failed} onRetry={() => void page.open(location.search)} />
      )}
    </div>
  );
}

function OpenRecording({ page }: { readonly page: RecordingPage }): ReactElement {
  const video = useRef<HTMLVideoElement>(null);
  const [source, setSource] = useState<Source>(() => (missingCamera() ? "drawing" : "camera"));
  const camera = useCamera(video, () => page.recorder.stop());
  return (
    <>
      <CameraHeader page={page} />
      <NoticeBar page={page} />
      <main className="pc-main">
        <CameraView {...{ page, video, camera, source, setSource }} />
        <ClassList page={page} source={source} isCameraOn={camera.state === "on"} />
        <section className="pc-side" aria-label={t("Train and try")}>
          <TrainPanel page={page} />
          <LivePanel page={page} />
        </section>
      </main>
    </>
  );
}
