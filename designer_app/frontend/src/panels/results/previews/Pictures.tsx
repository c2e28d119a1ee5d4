/** Small images: of an image directory by class, and of predictions. */

import type { ReactElement } from "react";

import type { ImagesPreview, Prediction, PredictionsPreview } from "../../../api/types.gen";
import { formatCount } from "../../../view/format";
import { t } from "../../../graph/translate";

export type PicturesByName = Readonly<Record<string, string>>;

interface ImagesProps {
  readonly preview: ImagesPreview;
  readonly pictures: PicturesByName;
}

export function Images({ preview, pictures }: ImagesProps): ReactElement {
  const most = Math.max(1, ...preview.classes.map((row) => row.images));
  return (
    <>
      <h3>
        {t("{images:,} {images:image|images}, {classes:,} {classes:class|classes}", {
          images: preview.num_images,
          classes: preview.num_classes,
        })}
      </h3>
      <div className="pd-pictures" data-testid="result-images">
        {preview.samples.map((sample) => (
          <Picture
            key={sample.picture}
            picture={pictures[sample.picture]}
            label={sample.label ?? t("no label")}
          />
        ))}
      </div>
      <dl className="pd-counts">
        {preview.classes.map((row) => (
          <Count key={row.name} name={row.name} count={row.images} share={row.images / most} />
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

interface PredictionsProps {
  readonly preview: PredictionsPreview;
  readonly pictures: PicturesByName;
}

export function Predictions({ preview, pictures }: PredictionsProps): ReactElement {
  const { num_images: count, num_wrong: wrong } = preview;
  return (
    <>
      <h3>
        {wrong === null
          ? t("{count:,} {count:image|images} scored", { count })
          : t("{count:,} {count:image|images} scored, {wrong:,} wrong", { count, wrong })}
      </h3>
      <PredictedPictures samples={preview.samples} pictures={pictures} />
    </>
  );
}

interface PredictedProps {
  readonly samples: readonly Prediction[];
  readonly pictures: PicturesByName;
}

/** Each image with its prediction; mistakes are marked. */
export function PredictedPictures({ samples, pictures }: PredictedProps): ReactElement {
  return (
    <div className="pd-pictures" data-testid="result-predictions">
      {samples.map((sample, place) => (
        <Picture
          key={place}
          picture={pictures[sample.picture ?? ""]}
          label={wordsOf(sample)}
          isWrong={isWrong(sample)}
        />
      ))}
    </div>
  );
}

export function isWrong({ actual, predicted }: Prediction): boolean {
  return actual !== null && actual !== predicted;
}

/** "3 → 8 · 91 %" of a mistake, "3 · 99 %" of a hit. */
function wordsOf(sample: Prediction): string {
  const { actual, predicted, confidence } = sample;
  const said = isWrong(sample) ? `${actual ?? ""} → ${predicted}` : predicted;
  return confidence === null ? said : `${said} · ${Math.round(100 * confidence)}\u00a0%`;
}

interface PictureProps {
  readonly picture: string | undefined;
  readonly label: string;
  readonly isWrong?: boolean;
}

function Picture({ picture, label, isWrong: wrong }: PictureProps): ReactElement {
  return (
    <figure className="pd-picture" data-wrong={wrong || undefined}>
      {picture ? (
        <img src={`data:image/jpeg;base64,${picture}`} alt={label} loading="lazy" />
      ) : (
        <span
          className="pd-picture-none"
          role="img"
          aria-label={t("{label}, no preview", { label })}
        />
      )}
      <figcaption title={label}>{label}</figcaption>
    </figure>
  );
}
