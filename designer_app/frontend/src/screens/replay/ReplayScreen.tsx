/**
 * A recorded run: a read-only canvas, with the player below and the results next to it. Loaded when
 * Python mounts the screen "replay" (`mount_replay` in `designer_app/editor/component.py`).
 */

import { Download, PencilRuler } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useState } from "react";

import { type Api, ApiError } from "../../api/client";
import { fetchCatalog } from "../../api/pipelines";
import { openReplay, replayFile } from "../../api/replays";
import type { ReplayAnswer } from "../../api/types.gen";
import { Canvas } from "../../canvas/Canvas";
import { attachKeyboard } from "../../commands/keyboard";
import { LoadingScreen } from "../../ui/LoadingScreen";
import { LazyStyles } from "../../panels/LazyStyles";
import { Banner } from "../../panels/notices/Banner";
import { LiveRegion } from "../../panels/notices/LiveRegion";
import { Toasts } from "../../panels/notices/Toasts";
import { PlayerContext } from "../../panels/replay/context";
import { attachPlayerKeys } from "../../panels/replay/keys";
import { PlayerBar } from "../../panels/replay/PlayerBar";
import { ReplayPane } from "../../panels/replay/ReplayPane";
import { Button } from "../../ui/buttons";
import { SurroundingsContext, useEditorState } from "../../view/context";
import { showLosses } from "../../store/lossTraces";
import { createView } from "../../view/viewStore";
import type { Editor } from "../../store/editor";
import { editorToLookAt } from "../../store/editorToLookAt";
import { openAsNew } from "../../store/openAsNew";
import { openOnPage } from "../../store/pageHost";
import { showRecorded } from "../../store/previews";
import { ReplayPlayer } from "../../store/replayPlayer";
import { lossesAfter } from "../../store/replayRecording";
import styles from "../../styles/replay.css?inline";
import { statusWords } from "../../graph/statusWords";
import { t } from "../../graph/translate";

interface Opened {
  readonly editor: Editor;
  readonly recorded: ReplayAnswer;
}

export function drawReplay(api: Api, root: HTMLElement, replayId: string): ReactElement {
  return <ReplayScreen key={replayId} api={api} root={root} replayId={replayId} />;
}

interface ScreenProps {
  readonly api: Api;
  readonly root: HTMLElement;
  readonly replayId: string;
}

function ReplayScreen({ api, root, replayId }: ScreenProps): ReactElement {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let over = false;
    open(api, replayId).then(
      (replay) => !over && setOpened(replay),
      (error: unknown) => !over && setFailed(error),
    );
    return () => {
      over = true;
    };
  }, [api, replayId, turn]);
  if (opened) return <Replay {...opened} root={root} />;
  return <LoadingScreen failed={failed} onRetry={() => setTurn(turn + 1)} />;
}

async function open(api: Api, replayId: string): Promise<Opened> {
  const [catalog, recorded] = await Promise.all([fetchCatalog(api), openReplay(api, replayId)]);
  const document = { ...recorded.document, id: recorded.id };
  const editor = await editorToLookAt(api, catalog, document, { openPipeline: openOnPage });
  showRecorded(editor, recorded);
  return { editor, recorded };
}

interface Props extends Opened {
  readonly root: HTMLElement;
}

function Replay({ editor, root, recorded }: Props): ReactElement {
  const [view] = useState(() => {
    const made = createView();
    made.setState({ recorded: true });
    return made;
  });
  const [player] = useState(() => new ReplayPlayer(editor, recorded));
  const surroundings = useMemo(() => ({ editor, root, view }), [editor, root, view]);
  useEffect(() => {
    const leaveKeys = attachPlayerKeys(root, player);
    const leaveCommands = attachKeyboard(root, editor);
    const leaveLosses = followLosses(editor, player);
    root.focus({ preventScroll: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
    return () => {
      leaveKeys();
      leaveCommands();
      leaveLosses();
      player.close();
      editor.close();
    };
  }, [root, editor, player, recorded]);
  return (
    <SurroundingsContext value={surroundings}>
      <PlayerContext value={player}>
        <LazyStyles />
        <style>{styles}</style>
        <div className="pd-shell" data-frozen="replay" data-testid="replay">
          <ReplayBar editor={editor} recorded={recorded} />
          <Banner />
          <main className="pd-middle" aria-label={t("Recorded pipeline")}>
            <Canvas />
            <PlayerBar />
          </main>
          <ReplayPane />
        </div>
        <Toasts />
        <LiveRegion />
      </PlayerContext>
    </SurroundingsContext>
  );
}

/** The finer curves on the nodes follow the time of the player. */
function followLosses(editor: Editor, player: ReplayPlayer): () => void {
  let shown = -1;
  return player.store.subscribe(({ time }) => {
    const count = player.timeline.countAt(time);
    if (count === shown) return;
    shown = count;
    showLosses(editor, lossesAfter(player.recorded.events, count));
  });
}

function ReplayBar({
  editor,
  recorded,
}: {
  readonly editor: Editor;
  readonly recorded: ReplayAnswer;
}): ReactElement {
  const { run, document } = recorded;
  const status = useEditorState((state) => state.run?.state.status ?? run.status);
  const headline = useEditorState((state) => state.run?.headline);
  const save = async (): Promise<void> => {
    try {
      const { download } = await import("../../browser/files");
      download(await replayFile(editor.api, recorded.id), `${recorded.id}.replay`);
    } catch (error) {
      if (error instanceof ApiError) editor.notifyError(error);
      else throw error;
    }
  };
  return (
    <header data-region className="pd-bar" aria-label={t("Replay")} role="toolbar">
      <span className="pd-replay-mark">{t("Replay")}</span>
      <strong className="pd-replay-name" title={run.name}>
        {run.name}
      </strong>
      <span className="pd-status pd-replay-status" data-status={status} data-testid="replay-status">
        {statusWords(status)}
        {headline && <b data-testid="replay-headline"> {headline.text}</b>}
      </span>
      <span className="pd-bar-space" />
      <Button
        aria-label={t("Download replay")}
        title={t("Download replay")}
        onClick={() => void save()}
      >
        <Download size={14} aria-hidden />{" "}
        <span className="pd-wide-only">{t("Download replay")}</span>
      </Button>
      <Button
        kind="primary"
        data-testid="replay-edit"
        title={t("Open the recorded pipeline as a new pipeline")}
        onClick={() => void openAsNew(editor, document)}
      >
        <PencilRuler size={14} aria-hidden /> {t("Copy to my pipelines")}
      </Button>
    </header>
  );
}
