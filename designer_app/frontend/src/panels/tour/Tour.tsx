/** Tour of five steps; it can be closed at any time and restarted. */

import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";

import { isFirstOffer } from "../../browser/lessonMarks";
import type { Editor } from "../../store/editor";
import { Button } from "../../ui/buttons";
import { useEditor, useRoot, useView, useViewState } from "../../view/context";
import { ROOMY } from "../../view/responsivePanes";
import { selectTourStep } from "../../view/viewStore";
import { t } from "../../graph/translate";

interface Stop {
  readonly at: string;
  readonly title: string;
  readonly text: string;
  /** Show the target first. */
  readonly prepare?: (editor: Editor) => void;
}

const STOPS: readonly Stop[] = [
  {
    at: ".pd-palette",
    title: t("Modules"),
    text: t(
      "The parts of a pipeline. Drag a module onto the canvas, or press Tab on the canvas and type its name.",
    ),
  },
  {
    at: ".pd-port.source",
    title: t("The canvas"),
    prepare: (editor) => {
      const [first] = editor.state.document.nodes;
      if (first) editor.canvas?.reveal(first.id);
    },
    text: t(
      "Connect outputs (right) to inputs (left) of the same color. If two ports do not fit, the designer offers the module to insert.",
    ),
  },
  {
    at: '[data-testid="settings"]',
    title: t("Settings"),
    prepare: (editor) => {
      const [first] = editor.state.document.nodes;
      if (first) editor.select({ nodes: [first.id] });
      editor.togglePane("settings", true);
    },
    text: t(
      "Click a node to see its settings. After a run, the tabs show its results, logs and code.",
    ),
  },
  {
    at: '[data-testid="problem-count"]',
    title: t("Problems"),
    text: t("Problems are listed here while you build; most have a button that fixes them."),
  },
  {
    at: '[data-testid="submit"]',
    title: t("Run"),
    text: t(
      "Runs the pipeline. Each node shows its progress; valid outputs are reused. Changes are saved automatically; Ctrl+Z undoes any edit.",
    ),
  },
];
const OFFER = t("New here? Take a tour of the editor in {count} steps.", { count: STOPS.length });
const GAP = 12;
/** Distance of the frame to the target, in pixels. */
const RIM = 4;
/** Milliseconds for which the target is followed: panes open, and the canvas glides. */
const PATIENCE = 700;

export function Tour(): ReactElement | null {
  const editor = useEditor();
  const root = useRoot();
  useEffect(() => {
    // on an empty canvas it is a button, and a phone has no space next to the target
    if (editor.state.document.nodes.length === 0 || root.clientWidth < ROOMY) return;
    if (!isFirstOffer()) return;
    const action = { label: t("Take the tour"), command: "tour" };
    const offer = editor.notify(OFFER, "information", action);
    // a user who runs the pipeline does not need it
    return editor.store.subscribe(({ run }, before) => {
      if (run?.id !== before.run?.id) editor.dismiss(offer);
    });
  }, [editor, root]);
  const step = useViewState(selectTourStep);
  const stop = step === null ? undefined : STOPS[step];
  return step !== null && stop ? <Card key={step} step={step} stop={stop} /> : null;
}

function Card({ step, stop }: { readonly step: number; readonly stop: Stop }): ReactElement {
  const view = useView();
  const editor = useEditor();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => stop.prepare?.(editor), [editor, stop]);
  const { style, ring } = useBeside(stop.at, ref);
  const isLast = step === STOPS.length - 1;
  const go = (to: number | null): void => view.setState({ tourStep: to });
  const isPlaced = style.visibility !== "hidden"; // before that it cannot receive the focus
  useEffect(() => {
    if (isPlaced) ref.current?.querySelector<HTMLElement>("[data-next]")?.focus();
  }, [isPlaced]);
  return (
    <>
      {ring && <span className="pd-tour-ring" data-testid="tour-ring" style={ring} />}
      <div
        ref={ref}
        className="pd-tour"
        role="dialog"
        aria-label={t("Tour: {title}", { title: stop.title })}
        data-testid="tour"
        style={style}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") go(null);
        }}
      >
        <h3>{stop.title}</h3>
        <p>{stop.text}</p>
        <footer>
          <span>
            {step + 1} {t("of {count}", { count: STOPS.length })}
          </span>
          {!isLast && (
            <Button small kind="plain" data-testid="tour-skip" onClick={() => go(null)}>
              {t("Skip")}
            </Button>
          )}
          {step > 0 && (
            <Button small onClick={() => go(step - 1)}>
              {t("Back")}
            </Button>
          )}
          <Button
            small
            kind="primary"
            data-next
            data-testid="tour-next"
            onClick={() => go(isLast ? null : step + 1)}
          >
            {isLast ? t("Done") : t("Next")}
          </Button>
        </footer>
      </div>
    </>
  );
}

interface Placed {
  readonly style: React.CSSProperties;
  /** Frame around the target. */
  readonly ring: React.CSSProperties | null;
}

/** Return the positions of the card and of the frame around its target, inside the root. */
function useBeside(selector: string, ref: React.RefObject<HTMLElement | null>): Placed {
  const root = useRoot();
  const [placed, setPlaced] = useState<Placed>({ style: { visibility: "hidden" }, ring: null });
  useLayoutEffect(() => {
    const until = performance.now() + PATIENCE;
    let request = 0;
    const place = (): void => {
      const target = root.querySelector(selector)?.getBoundingClientRect();
      const card = ref.current?.getBoundingClientRect();
      if (card) setPlaced(placedBeside(root.getBoundingClientRect(), target, card));
      // a pane that the stop has opened comes with a later frame, and the canvas glides
      if (performance.now() < until) request = requestAnimationFrame(place);
    };
    place();
    return () => cancelAnimationFrame(request);
  }, [root, ref, selector]);
  return placed;
}

function placedBeside(frame: DOMRect, target: DOMRect | undefined, card: DOMRect): Placed {
  const wide = { width: frame.width - card.width - GAP, height: frame.height - card.height - GAP };
  let left = wide.width / 2;
  let top = wide.height / 2;
  if (target && target.height < 100) {
    left = target.left - frame.left;
    top = target.bottom - frame.top + GAP;
  } else if (target) {
    const onLeft = target.left - frame.left < frame.width / 2;
    left = onLeft ? target.right - frame.left + GAP : target.left - frame.left - card.width - GAP;
    top = target.top - frame.top + 80;
  }
  const clamp = (value: number, most: number): number => Math.max(GAP, Math.min(value, most));
  const style = { left: clamp(left, wide.width), top: clamp(top, wide.height) };
  const ring = target && {
    left: target.left - frame.left - RIM,
    top: target.top - frame.top - RIM,
    width: target.width + 2 * RIM,
    height: target.height + 2 * RIM,
  };
  return { style, ring: ring ?? null };
}
