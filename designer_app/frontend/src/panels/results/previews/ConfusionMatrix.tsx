/** Confusion matrix: square cells, hits green, mistakes red; a cell opens its images. */

import { X } from "lucide-react";
import { type CSSProperties, type ReactElement, useMemo, useState } from "react";

import type { EvaluationPreview } from "../../../api/types.gen";
import { sharesOf } from "../../../graph/evaluation";
import { previewsOf } from "../../../store/previews";
import { selectStep } from "../../../store/selectors";
import { IconButton } from "../../../ui/buttons";
import { useEditor, useEditorState } from "../../../view/context";
import { formatCount } from "../../../view/format";
import { useAnswer } from "../../../view/useAnswer";
import { PredictedPictures } from "./Pictures";
import { t } from "../../../graph/translate";

/** Number of classes beyond which names and numbers would be illegible. */
const MOST_NAMED = 14;
const SHORT_NAME = 2;
/** Number of classes whose columns have their full width, and the longest name that fits. */
const FEW_CLASSES = 3;
const FITTING_NAME = 7;

interface Cell {
  readonly actual: string;
  readonly predicted: string;
  readonly count: number;
}

export function ConfusionMatrix({
  preview,
}: {
  readonly preview: EvaluationPreview;
}): ReactElement {
  const { classes, confusion } = preview;
  const [cell, setCell] = useState<Cell | null>(null);
  const shares = useMemo(() => sharesOf(confusion), [confusion]);
  const named = classes.length <= MOST_NAMED;
  return (
    <figure className="pd-matrix" data-testid="result-matrix">
      <figcaption>
        {t("Rows: true class. Columns: predicted class. Click a cell to see its images.")}
      </figcaption>
      <div
        className="pd-matrix-grid"
        data-named={named || undefined}
        style={{ "--classes": classes.length } as CSSProperties}
      >
        {named && <Heads classes={classes} />}
        {confusion.map((row, actual) => (
          <Row
            key={actual}
            classes={classes}
            actual={actual}
            counts={row}
            shares={shares[actual] ?? []}
            isNamed={named}
            chosen={cell}
            onChoose={setCell}
          />
        ))}
      </div>
      {cell && <CellPictures node={preview.node} cell={cell} onClose={() => setCell(null)} />}
    </figure>
  );
}

/** Column heads, rotated if they are long. */
function Heads({ classes }: { readonly classes: readonly string[] }): ReactElement {
  const most = classes.length <= FEW_CLASSES ? FITTING_NAME : SHORT_NAME;
  const areShort = classes.every((name) => name.length <= most);
  return (
    <>
      <span />
      {classes.map((name) => (
        <span
          key={name}
          className="pd-matrix-head"
          data-upright={!areShort || undefined}
          title={name}
          aria-hidden
        >
          <span>{name}</span>
        </span>
      ))}
    </>
  );
}

interface RowProps {
  readonly classes: readonly string[];
  readonly actual: number;
  readonly counts: readonly number[];
  readonly shares: readonly number[];
  readonly isNamed: boolean;
  readonly chosen: Cell | null;
  readonly onChoose: (cell: Cell) => void;
}

function Row(props: RowProps): ReactElement {
  const { classes, actual, counts, shares, isNamed, chosen, onChoose } = props;
  const name = classes[actual] ?? "";
  return (
    <>
      {isNamed && (
        <span className="pd-matrix-name" title={name} aria-hidden>
          {name}
        </span>
      )}
      {counts.map((count, place) => {
        const predicted = classes[place] ?? "";
        const isHit = place === actual;
        const words = isHit
          ? t("{name}, correct", { name })
          : t("{name}, predicted as {predicted}", { name, predicted });
        return (
          <button
            key={place}
            type="button"
            className="pd-matrix-cell"
            data-hit={isHit || undefined}
            data-testid={`result-cell-${actual}-${place}`}
            aria-pressed={chosen?.actual === name && chosen.predicted === predicted}
            aria-label={`${words}: ${t("{count:,} {count:image|images}", { count })}`}
            title={`${words}: ${t("{count:,} {count:image|images}", { count })}`}
            disabled={count === 0}
            style={{ "--share": shares[place] ?? 0 } as CSSProperties}
            onClick={() => onChoose({ actual: name, predicted, count })}
          >
            {isNamed && count > 0 ? shortCount(count) : ""}
          </button>
        );
      })}
    </>
  );
}

/** "1.2k": cells are small. */
function shortCount(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

interface CellProps {
  readonly node: string;
  readonly cell: Cell;
  readonly onClose: () => void;
}

function CellPictures({ node, cell, onClose }: CellProps): ReactElement {
  const editor = useEditor();
  const step = useEditorState(selectStep(node));
  const { actual, predicted, count } = cell;
  const { value, failed } = useAnswer(
    useMemo(
      () => (step ? () => previewsOf(editor).cell(node, step, actual, predicted) : null),
      [editor, node, step, actual, predicted],
    ),
  );
  const shown = value?.previews.find((preview) => preview.kind === "predictions");
  const samples = shown?.samples ?? [];
  return (
    <section className="pd-cell" aria-live="polite" data-testid="result-cell-pictures">
      <header>
        <b>
          {actual === predicted
            ? t("{actual}, correct", { actual })
            : t("{actual} predicted as {predicted}", { actual, predicted })}
          : {t("{count:,} {count:image|images}", { count })}
        </b>
        <IconButton icon={X} label={t("Close images")} onClick={onClose} />
      </header>
      {failed && <p className="pd-dim">{failed}</p>}
      {!value && !failed && <p className="pd-dim">{t("Loading images …")}</p>}
      {value && samples.length === 0 && (
        <p className="pd-dim">{t("The images of this cell are no longer available.")}</p>
      )}
      {value && <PredictedPictures samples={samples} pictures={value.pictures} />}
      {samples.length > 0 && samples.length < count && (
        <p className="pd-dim">
          {t("The {shown} most confident of {count}.", {
            shown: formatCount(samples.length),
            count: formatCount(count),
          })}
        </p>
      )}
    </section>
  );
}
