/** Preview below a node after a run, if there is space: some images, the matrix, or layers. */

import { type Edge, type ReactFlowState, useStore } from "@xyflow/react";
import { type CSSProperties, memo, type ReactElement, useCallback, useMemo } from "react";

import type {
  EvaluationPreview,
  ImagesPreview,
  NetworkSketch,
  PredictionsPreview,
} from "../api/types.gen";
import { hitsIn, sharesOf } from "../graph/evaluation";
import { previewSize } from "../graph/layout/previewRoom";
import {
  type Stretch,
  boxOf,
  roomAboveWires,
  roomBelow,
  stretchesOf,
} from "../graph/layout/roomBelow";
import { selectCatalog, selectDocument } from "../store/selectors";
import { dataOf } from "./routedEdges";
import type { NodePreviews } from "../store/previews";
import { useEditorState } from "../view/context";
import { formatCount } from "../view/format";
import { useNetwork, usePreviews } from "../view/usePreviews";
import { t } from "../graph/translate";

/** Zoom from which a small image is recognizable. */
const READABLE = 0.6;
const BETWEEN = 3;
/** Classes of a matrix beyond which cells are smaller than a pixel. */
const MOST_CLASSES = 30;

const drawn = new WeakMap<readonly Edge[], readonly Stretch[]>();

/** Segments of the wires that are routed around nodes. */
function stretchesIn(edges: readonly Edge[]): readonly Stretch[] {
  const known = drawn.get(edges);
  if (known) return known;
  const made = edges.flatMap((edge) => {
    const { path, portal } = dataOf(edge);
    return path === undefined || portal !== undefined ? [] : stretchesOf(path);
  });
  drawn.set(edges, made);
  return made;
}

const selectIsReadable = ({ transform }: ReactFlowState): boolean => transform[2] >= READABLE;

interface Props {
  readonly node: string;
  /** True if the output is an untrained model. */
  readonly isNetwork: boolean;
}

export const NodePreview = memo(function NodePreview(props: Props): ReactElement | null {
  const isReadable = useStore(selectIsReadable);
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const above = useMemo(
    () => (isReadable ? roomBelow(document, catalog, props.node) : 0),
    [isReadable, document, catalog, props.node],
  );
  const box = useMemo(() => boxOf(document, catalog, props.node), [document, catalog, props.node]);
  const selectRoom = useCallback(
    ({ edges }: ReactFlowState) => (box ? roomAboveWires(box, stretchesIn(edges)) : 0),
    [box],
  );
  const size = previewSize(above, useStore(selectRoom));
  if (!size) return null;
  const { edge, width } = size;
  return (
    <div
      className="pd-node-preview"
      data-testid={`node-preview-${props.node}`}
      style={{ "--edge": `${edge}px`, maxWidth: width } as CSSProperties}
    >
      {props.isNetwork ? (
        <Network node={props.node} />
      ) : (
        <Outputs node={props.node} most={Math.floor((width + BETWEEN) / (edge + BETWEEN))} />
      )}
    </div>
  );
});

interface OutputsProps {
  readonly node: string;
  /** Number of images that fit. */
  readonly most: number;
}

function Outputs({ node, most }: OutputsProps): ReactElement | null {
  const { value } = usePreviews(node);
  if (!value) return null;
  const evaluation = value.previews.find((preview) => preview.kind === "evaluation");
  return evaluation ? <Matrix preview={evaluation} /> : <Pictures {...value} most={most} />;
}

interface Shown {
  readonly picture: string;
  readonly label: string;
  readonly isWrong: boolean;
}

/** The same number of images of each output; none if a file is missing. */
function Pictures(props: NodePreviews & Pick<OutputsProps, "most">): ReactElement | null {
  const { previews, pictures, most } = props;
  const shown = previews.flatMap((preview) =>
    preview.kind === "images" || preview.kind === "predictions" ? [preview] : [],
  );
  const share = Math.floor(most / Math.max(1, shown.length));
  return (
    <>
      {shown.map((preview) => (
        <span className="pd-node-pictures" key={preview.port}>
          {picturesIn(preview, pictures)
            .slice(0, share)
            .map(({ picture, label, isWrong }, place) => (
              <img
                key={place}
                src={`data:image/jpeg;base64,${picture}`}
                alt={label}
                title={label}
                draggable={false}
                data-wrong={isWrong || undefined}
              />
            ))}
        </span>
      ))}
    </>
  );
}

function picturesIn(
  preview: ImagesPreview | PredictionsPreview,
  pictures: NodePreviews["pictures"],
): readonly Shown[] {
  const all =
    preview.kind === "images"
      ? preview.samples.map(({ picture, label }) => ({
          name: picture,
          label: label ?? t("no label"),
          isWrong: false,
        }))
      : preview.samples.map(({ picture, actual, predicted }) => ({
          name: picture ?? "",
          label: actual === null || actual === predicted ? predicted : `${actual} → ${predicted}`,
          isWrong: actual !== null && actual !== predicted,
        }));
  return oneOfEach(all).flatMap(({ name, label, isWrong }) => {
    const picture = pictures[name];
    return picture === undefined ? [] : [{ picture, label, isWrong }];
  });
}

/** Move one sample of each label to the front. */
function oneOfEach<Sample extends { readonly label: string }>(
  all: readonly Sample[],
): readonly Sample[] {
  const first = all.filter(
    ({ label }, place) => all.findIndex((other) => other.label === label) === place,
  );
  return [...first, ...all.filter((image) => !first.includes(image))];
}

function Matrix({ preview }: { readonly preview: EvaluationPreview }): ReactElement | null {
  const { classes, confusion } = preview;
  const shares = useMemo(() => sharesOf(confusion), [confusion]);
  if (classes.length === 0 || classes.length > MOST_CLASSES) return null;
  const { right, total } = hitsIn(confusion);
  const words = t("{right} of {total} correct", {
    right: formatCount(right),
    total: formatCount(total),
  });
  return (
    <>
      <svg
        className="pd-node-matrix"
        viewBox={`0 0 ${classes.length} ${classes.length}`}
        role="img"
        aria-label={t("Confusion matrix: {words}", { words })}
      >
        {shares.map((row, actual) =>
          row.map((share, predicted) =>
            share > 0 ? (
              <rect
                key={`${actual} ${predicted}`}
                x={predicted}
                y={actual}
                width={1}
                height={1}
                data-hit={actual === predicted || undefined}
                opacity={0.25 + 0.75 * share}
              />
            ) : null,
          ),
        )}
      </svg>
      <span className="pd-node-preview-words">{words}</span>
    </>
  );
}

function Network({ node }: { readonly node: string }): ReactElement | null {
  const { value } = useNetwork(node, true);
  return value && <Parts sketch={value} />;
}

function Parts({ sketch }: { readonly sketch: NetworkSketch }): ReactElement {
  const parts = sketch.parts.filter((part) => part.num_parameters > 0);
  const most = Math.max(1, ...parts.map((part) => part.num_parameters));
  const width = 8;
  return (
    <>
      <svg
        className="pd-node-parts"
        viewBox={`0 0 ${parts.length * width} 30`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("Parameters of {count:,} {count:part|parts}", { count: parts.length })}
      >
        {parts.map((part, place) => {
          // by the square root: the last blocks are hundreds of times as large as the first
          const height = Math.max(1.5, 30 * Math.sqrt(part.num_parameters / most));
          return (
            <rect
              key={part.name}
              x={place * width + 1}
              y={30 - height}
              width={width - 2}
              height={height}
            >
              <title>{`${part.name}: ${formatCount(part.num_parameters)}`}</title>
            </rect>
          );
        })}
      </svg>
      <span className="pd-node-preview-words">
        {t("{millions} M parameters", { millions: (sketch.num_parameters / 1e6).toFixed(1) })}
      </span>
    </>
  );
}
