/** Save and Train, the progress of the training, and its accuracy. */

import type { ReactElement } from "react";
import { useStore } from "zustand";

import type { TrainingProgress } from "../../api/types.gen";
import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";
import {
  ADVISED_PICTURES,
  LEAST_PICTURES,
  type ShownClass,
  isTrainable,
  numStored,
} from "../../store/recordedClasses";

export function TrainPanel({ page }: { readonly page: RecordingPage }): ReactElement {
  const classes = useStore(page.store, (state) => state.classes);
  const recording = useStore(page.store, (state) => state.recording);
  const busy = useStore(page.store, (state) => state.busy);
  const training = useStore(page.store, (state) => state.training);
  const isTraining = busy === "train" || (training !== null && !training.is_finished);
  const hasPictures = classes.some((category) => numStored(category) > 0);
  const isSaved = recording?.is_saved ?? false;
  return (
    <div className="pc-panel" data-testid="train-panel">
      <h2>{t("Train")}</h2>
      <p className="pd-dim">{adviceOf(classes)}</p>
      <div className="pc-ways">
        <button
          type="button"
          className="pd-button"
          data-kind="primary"
          data-testid="train"
          disabled={!isTrainable(classes) || isTraining || busy !== null}
          onClick={() => void page.train()}
        >
          {training?.result ? t("Train again") : t("Train")}
        </button>
        <button
          type="button"
          className="pd-button"
          data-testid="save"
          disabled={!hasPictures || isSaved || busy !== null}
          onClick={() => void page.save()}
        >
          {busy === "save" ? t("Saving ...") : isSaved ? t("Saved") : t("Save dataset")}
        </button>
      </div>
      {recording !== null && recording.version > 0 && (
        <p className="pd-dim" data-testid="saved-as">
          {t("Newest version: {source}", {
            source: `dataset:${recording.name}@${recording.version}`,
          })}
        </p>
      )}
      {busy === "train" && <p role="status">{t("Saving and planning ...")}</p>}
      {training && <Progress training={training} pipeline={recording?.pipeline_id ?? null} />}
    </div>
  );
}

function adviceOf(classes: readonly ShownClass[]): string {
  if (classes.length < 2) return t("Add two classes, then record images of each.");
  const poorest = Math.min(...classes.map(numStored));
  if (!isTrainable(classes)) {
    return t("Record at least {least} images in two classes.", { least: LEAST_PICTURES });
  }
  if (poorest < ADVISED_PICTURES) {
    return t("{count} or more images of each class give a better result.", {
      count: ADVISED_PICTURES,
    });
  }
  return t("Images of different sides and backgrounds help more than many alike.");
}

interface ProgressProps {
  readonly training: TrainingProgress;
  readonly pipeline: string | null;
}

function Progress({ training, pipeline }: ProgressProps): ReactElement {
  const { run_id: run, result, message } = training;
  const links = (
    <p className="pc-links">
      <a className="pd-link" href={`/run?run=${run}`} data-testid="open-run">
        {t("Open run")}
      </a>
      {pipeline && (
        <a
          className="pd-link"
          href={`/design?pipeline=${pipeline}&run=${run}`}
          data-testid="open-pipeline"
        >
          {t("Open pipeline")}
        </a>
      )}
    </p>
  );
  if (!training.is_finished) {
    return (
      <div className="pc-progress" role="status">
        <progress
          max={Math.max(1, training.num_steps)}
          value={training.num_done}
          aria-label={t("Progress of the training")}
        />
        <span>{training.current ?? t("Waiting for the runner ...")}</span>
        {links}
      </div>
    );
  }
  return (
    <div className="pc-result" role="status" data-testid="training-result" data-run={run}>
      {result && (
        <>
          <strong>{percent(result.accuracy)}</strong>
          <span>
            {t("of {count:,} test {count:image|images} right: between {low} and {high}", {
              count: result.images,
              low: percent(result.low),
              high: percent(result.high),
            })}
          </span>
        </>
      )}
      {!result && <p role="alert">{message ?? t("The training ended without a result.")}</p>}
      {training.seconds !== null && (
        <span className="pd-dim">
          {t("Trained in {seconds} s", { seconds: Math.round(training.seconds) })}
        </span>
      )}
      {links}
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
