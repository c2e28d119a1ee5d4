/** Try live: the class bars of the view, the heat map on request, and mistakes to learn from. */

import { type ReactElement, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";

import { predictFrame } from "../../api/recordings";
import { t } from "../../graph/translate";
import { LiveLoop, type LiveState, NOTHING_LIVE } from "../../store/liveLoop";
import { type RecordingPage, messageOf } from "../../store/recording";

export function LivePanel({ page }: { readonly page: RecordingPage }): ReactElement {
  const run = useStore(page.store, (state) => state.liveRun);
  const [isOn, setIsOn] = useState(false);
  const [withHeat, setWithHeat] = useState(false);
  return (
    <div className="pc-panel" data-testid="live-panel">
      <h2>{t("Try live")}</h2>
      {run === null ? (
        <p className="pd-dim">{t("Train first. Then the model says what the camera shows.")}</p>
      ) : (
        <>
          <div className="pc-ways">
            <button
              type="button"
              className="pd-button"
              data-kind={isOn ? undefined : "primary"}
              data-testid="try-live"
              aria-pressed={isOn}
              onClick={() => setIsOn(!isOn)}
            >
              {isOn ? t("Stop") : t("Try live")}
            </button>
            <label className="pc-heat">
              <input
                type="checkbox"
                data-testid="heat-map"
                checked={withHeat}
                onChange={(event) => setWithHeat(event.target.checked)}
              />
              {t("Heat map")}
            </label>
          </div>
          {isOn && <Live page={page} run={run} withHeat={withHeat} />}
        </>
      )}
    </div>
  );
}

interface LiveProps {
  readonly page: RecordingPage;
  readonly run: string;
  readonly withHeat: boolean;
}

function Live({ page, run, withHeat }: LiveProps): ReactElement {
  const [live, setLive] = useState<LiveState>(NOTHING_LIVE);
  const heat = useRef(withHeat);
  useEffect(() => {
    heat.current = withHeat;
  });
  useEffect(() => {
    const loop = new LiveLoop({
      grab: () => (document.hidden ? Promise.resolve(null) : page.current()),
      predict: (frame) => predictFrame(page.api, run, frame, heat.current),
      show: setLive,
    });
    void loop.start();
    return () => loop.stop();
  }, [page, run]);
  const { prediction, failed } = live;
  if (failed !== null) return <p role="alert">{messageOf(failed)}</p>;
  if (!prediction) return <p role="status">{t("Loading the model ...")}</p>;
  return (
    <div className="pc-live" data-testid="live-result">
      <Bars page={page} live={live} />
      {prediction.overlay && (
        <img
          className="pc-overlay"
          src={`data:image/jpeg;base64,${prediction.overlay}`}
          alt={t("Where the model looks")}
        />
      )}
      <Speed live={live} />
    </div>
  );
}

function Bars({
  page,
  live,
}: {
  readonly page: RecordingPage;
  readonly live: LiveState;
}): ReactElement {
  const classes = useStore(page.store, (state) => state.classes);
  const shares = live.prediction?.classes ?? [];
  const best = shares.reduce((a, b) => (b.probability > a.probability ? b : a), {
    name: "",
    probability: -1,
  });
  const learn = (name: string): void => {
    const category = classes.find((one) => one.name === name);
    if (!category || !live.frame) return;
    page.addPicture(category.id, live.frame);
    page.say(t("Added this image to {name}. Train again to learn from it.", { name }), false);
  };
  return (
    <>
      <ul className="pc-bars">
        {shares.map(({ name, probability }) => (
          <li key={name} data-best={name === best.name || undefined}>
            <span className="pc-bar-name">{name}</span>
            <span className="pc-bar-share">{`${Math.round(100 * probability)} %`}</span>
            <span className="pc-bar">
              <i style={{ width: `${100 * probability}%` }} />
            </span>
          </li>
        ))}
      </ul>
      <p className="pd-dim" id="pc-wrong">
        {t("Wrong? Choose what it is:")}
      </p>
      <div className="pc-ways" role="group" aria-labelledby="pc-wrong">
        {classes.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="pd-button"
            data-size="small"
            data-testid={`learn-${name}`}
            onClick={() => learn(name)}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

function Speed({ live }: { readonly live: LiveState }): ReactElement | null {
  const { framesPerSecond, p95 } = live;
  if (framesPerSecond === null || p95 === null) return null;
  const facts = { rate: framesPerSecond.toFixed(1), p95: Math.round(p95) };
  return (
    <p
      className="pd-dim pc-speed"
      data-testid="live-speed"
      data-rate={facts.rate}
      data-p95={facts.p95}
    >
      {t("{rate} images a second; 95 % of the answers within {p95} ms", facts)}
    </p>
  );
}
