/** Player of a replay: play, pause, scrub, with a mark at the end of each node. */

import { Pause, Play, SkipBack, SkipForward } from "lucide-react";
import type { ReactElement } from "react";

import { IconButton } from "../../ui/buttons";
import { formatSeconds } from "../../view/format";
import { type Chapter, SPEEDS, type Speed } from "../../store/replayPlayer";
import { selectPlaying, selectSpeed, selectTime, usePlayer, usePlayerState } from "./context";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

export function PlayerBar(): ReactElement {
  const player = usePlayer();
  const playing = usePlayerState(selectPlaying);
  const speed = usePlayerState(selectSpeed);
  return (
    <section className="pd-player" aria-label={t("Player")} data-testid="player">
      <div className="pd-bar-group">
        <IconButton
          icon={SkipBack}
          label={t("Previous node")}
          keys="Shift+←"
          onClick={() => player.skip(-1)}
        />
        <button
          type="button"
          className="pd-button pd-player-play"
          data-kind="primary"
          data-testid="player-play"
          aria-label={playing ? t("Pause") : t("Play")}
          title={playing ? t("Pause (Space)") : t("Play (Space)")}
          onClick={() => player.toggle()}
        >
          {playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        </button>
        <IconButton
          icon={SkipForward}
          label={t("Next node")}
          keys="Shift+→"
          onClick={() => player.skip(1)}
        />
      </div>
      <Track />
      <Clock />
      <select
        className="pd-input pd-player-speed"
        aria-label={t("Speed")}
        data-testid="player-speed"
        value={speed}
        onChange={(event) => player.setSpeed(Number(event.target.value) as Speed)}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed}x
          </option>
        ))}
      </select>
    </section>
  );
}

function Track(): ReactElement {
  const player = usePlayer();
  const time = usePlayerState(selectTime);
  const length = player.length || 1;
  const words = t("{time} of {length}", {
    time: formatSeconds(time),
    length: formatSeconds(player.length),
  });
  return (
    <div className="pd-track-box">
      <div className="pd-chapters">
        {marksOf(player.chapters, length).map(({ chapter, others, share }) => (
          <button
            key={`${chapter.node} ${chapter.at}`}
            type="button"
            className="pd-chapter"
            data-status={chapter.status}
            data-past={chapter.at <= time || undefined}
            data-testid={`chapter-${chapter.node}`}
            style={{ left: `${100 * share}%` }}
            tabIndex={-1}
            title={[chapter, ...others]
              .map((chapter) =>
                t("{title}: {status} at {time}", {
                  title: chapter.title,
                  status: statusWords(chapter.status),
                  time: formatSeconds(chapter.at),
                }),
              )
              .join("\n")}
            aria-label={t("Go to end of {title}: {status}", {
              title: chapter.title,
              status: statusWords(chapter.status),
            })}
            onClick={() => player.seek(chapter.at)}
          />
        ))}
      </div>
      <input
        type="range"
        className="pd-scrub"
        aria-label={t("Time")}
        aria-valuetext={words}
        data-testid="player-scrub"
        min={0}
        max={length}
        step="any"
        value={time}
        style={{ backgroundSize: `${(100 * time) / length}% 100%` }}
        onChange={(event) => player.seek(Number(event.target.value))}
      />
    </div>
  );
}

function Clock(): ReactElement {
  const player = usePlayer();
  const time = usePlayerState(selectTime);
  return (
    <span className="pd-player-clock" data-testid="player-clock">
      <b>{clockOf(time)}</b> / {clockOf(player.length)}
    </span>
  );
}

/** "0:07", "12:30", "1:02:03": of constant width during a replay. */
function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

interface Mark {
  readonly chapter: Chapter;
  /** Chapters that end at about the same time. */
  readonly others: readonly Chapter[];
  readonly share: number;
}

const TOO_CLOSE = 0.008;

/** Combine chapters that would overlap into one mark. */
function marksOf(chapters: readonly Chapter[], length: number): readonly Mark[] {
  const marks: Mark[] = [];
  for (const chapter of chapters) {
    const share = chapter.at / length;
    const last = marks.at(-1);
    if (last && share - last.share < TOO_CLOSE) {
      marks[marks.length - 1] = { ...last, others: [...last.others, chapter] };
    } else marks.push({ chapter, others: [], share });
  }
  return marks;
}
