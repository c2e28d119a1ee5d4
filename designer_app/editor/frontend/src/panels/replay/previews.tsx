/** Small previews of outputs: pictures by class, predictions, the confusion matrix, a model. */

import type { ReactElement } from "react";

import type {
  EvaluationPreview,
  ImagesPreview,
  ModelPreview,
  PredictionsPreview,
  ReplayAnswer,
} from "../../api/types.gen";
import { type Fact, Facts } from "../../ui/Facts";
import { formatCount, formatNumber, plural } from "../../view/format";

type Pictures = Readonly<Record<string, string>>;

interface Props {
  readonly preview: ReplayAnswer["previews"][number];
  readonly pictures: Pictures;
}

export function PreviewView({ preview, pictures }: Props): ReactElement {
  return (
    <section className="pd-preview" data-testid={`preview-${preview.node}-${preview.port}`}>
      {preview.kind === "images" && <Images preview={preview} pictures={pictures} />}
      {preview.kind === "predictions" && <Predictions preview={preview} pictures={pictures} />}
      {preview.kind === "evaluation" && <Evaluation preview={preview} />}
      {preview.kind === "model" && <Model preview={preview} />}
    </section>
  );
}

interface ImagesProps {
  readonly preview: ImagesPreview;
  readonly pictures: Pictures;
}

function Images({ preview, pictures }: ImagesProps): ReactElement {
  const most = Math.max(1, ...preview.classes.map((each) => each.images));
  return (
    <>
      <h3>
        {plural(preview.num_images, "image")}, {preview.num_classes} classes
      </h3>
      <div className="pd-pictures">
        {preview.samples.map((sample) => (
          <Picture
            key={sample.picture}
            picture={pictures[sample.picture]}
            label={sample.label ?? "no label"}
          />
        ))}
      </div>
      <dl className="pd-counts">
        {preview.classes.map((each) => (
          <Count key={each.name} name={each.name} count={each.images} share={each.images / most} />
        ))}
      </dl>
    </>
  );
}

interface CountProps {
  readonly name: string;
  readonly count: number;
  readonly share: number;
}

function Count({ name, count, share }: CountProps): ReactElement {
  return (
    <>
      <dt title={name}>{name}</dt>
      <dd>
        <span className="pd-count-bar">
          <i style={{ width: `${100 * share}%` }} />
        </span>
        {formatCount(count)}
      </dd>
    </>
  );
}

interface PictureProps {
  readonly picture: string | undefined;
  readonly label: string;
  readonly wrong?: boolean;
}

function Picture({ picture, label, wrong }: PictureProps): ReactElement {
  return (
    <figure className="pd-picture" data-wrong={wrong || undefined}>
      {picture ? (
        <img src={`data:image/jpeg;base64,${picture}`} alt={label} loading="lazy" />
      ) : (
        <span className="pd-picture-none" />
      )}
      <figcaption title={label}>{label}</figcaption>
    </figure>
  );
}

interface PredictionsProps {
  readonly preview: PredictionsPreview;
  readonly pictures: Pictures;
}

function Predictions({ preview, pictures }: PredictionsProps): ReactElement {
  const wrong = preview.num_wrong === null ? "" : `, ${formatCount(preview.num_wrong)} wrong`;
  return (
    <>
      <h3>
        {plural(preview.num_images, "image")} scored{wrong}
      </h3>
      <div className="pd-pictures">
        {preview.samples.map((sample, place) => {
          const isWrong = sample.actual !== null && sample.actual !== sample.predicted;
          const sure =
            sample.confidence === null ? "" : ` ${Math.round(100 * sample.confidence)} %`;
          const label = isWrong
            ? `${sample.actual ?? ""} → ${sample.predicted}${sure}`
            : `${sample.predicted}${sure}`;
          return (
            <Picture
              key={place}
              picture={pictures[sample.picture ?? ""]}
              label={label}
              wrong={isWrong}
            />
          );
        })}
      </div>
    </>
  );
}

const SHOWN = ["Overall_Accuracy", "Macro_Precision", "Macro_Recall", "Macro_F1", "Log_Loss"];

function Evaluation({ preview }: { readonly preview: EvaluationPreview }): ReactElement {
  const named = Object.entries(preview.metrics).filter(([, value]) => value !== null);
  const first = named.filter(([name]) => SHOWN.includes(name));
  return (
    <>
      <Facts
        facts={(first.length > 0 ? first : named.slice(0, 6)).map(([name, value]): Fact => [
          name.replaceAll("_", " "),
          formatNumber(value ?? 0),
        ])}
      />
      {preview.confusion.length > 0 && <Confusion preview={preview} />}
    </>
  );
}

/** Rows are what the images are, columns what the model said. */
function Confusion({
  preview: { classes, confusion },
}: {
  readonly preview: EvaluationPreview;
}): ReactElement {
  const numbers = classes.length <= 12;
  return (
    <table className="pd-confusion" data-testid="confusion" data-small={!numbers || undefined}>
      <caption>Confusion matrix: rows are the actual classes</caption>
      {numbers && (
        <thead>
          <tr>
            <td />
            {classes.map((name) => (
              <th key={name} scope="col" title={name}>
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {confusion.map((row, actual) => {
          const total = row.reduce((sum, each) => sum + each, 0) || 1;
          return (
            <tr key={classes[actual]}>
              {numbers && (
                <th scope="row" title={classes[actual]}>
                  {classes[actual]}
                </th>
              )}
              {row.map((count, predicted) => (
                <td
                  key={classes[predicted]}
                  data-right={actual === predicted || undefined}
                  style={{ "--share": count / total } as React.CSSProperties}
                  title={`${classes[actual] ?? ""} called ${classes[predicted] ?? ""}: ${count}`}
                >
                  {numbers && count > 0 ? count : ""}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Model({ preview }: { readonly preview: ModelPreview }): ReactElement {
  const { architecture, num_classes, best_epoch, curves } = preview;
  const ends = Object.entries(curves)
    .filter(([name]) => name.toLowerCase() !== "epoch")
    .map(([name, values]): Fact => {
      const last = values.findLast((each) => each !== null);
      return [name, formatNumber(last ?? Number.NaN)];
    });
  const best: readonly Fact[] =
    best_epoch === null ? [] : [["Best epoch", formatCount(best_epoch)]];
  return (
    <Facts
      facts={[
        ["Architecture", architecture],
        ["Classes", formatCount(num_classes)],
        ...best,
        ...ends,
      ]}
    />
  );
}
