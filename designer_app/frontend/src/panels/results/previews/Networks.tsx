/** Models: facts of a trained one, layers of an untrained one. */

import type { ReactElement } from "react";

import type { ModelPreview, NetworkSketch } from "../../../api/types.gen";
import { type Fact, Facts } from "../../../ui/Facts";
import { formatCount, formatNumber, formatSize } from "../../../view/format";
import { t } from "../../../graph/translate";

export function TrainedModel({ preview }: { readonly preview: ModelPreview }): ReactElement {
  const { architecture, num_classes, best_epoch } = preview;
  const best: readonly Fact[] =
    best_epoch === null ? [] : [[t("Best epoch"), formatCount(best_epoch)]];
  return (
    <Facts
      facts={[[t("Architecture"), architecture], [t("Classes"), formatCount(num_classes)], ...best]}
    />
  );
}

export function Network({ sketch }: { readonly sketch: NetworkSketch }): ReactElement {
  const { architecture, num_classes, height, width } = sketch;
  const images = t("{size}, {count:,} {count:class|classes}", {
    size: formatSize([height, width]),
    count: num_classes,
  });
  const parts = sketch.parts.filter((part) => part.num_parameters > 0);
  const most = Math.max(1, ...parts.map((part) => part.num_parameters));
  return (
    <section className="pd-preview" data-testid="result-network">
      <Facts
        facts={[
          [t("Architecture"), architecture],
          [t("Built for"), images],
          [t("Parameters"), formatCount(sketch.num_parameters)],
          [t("Trained"), formatCount(sketch.num_trainable)],
          [
            t("Compute per image"),
            t("{flops_per_image} GFLOPs", {
              flops_per_image: formatNumber(sketch.flops_per_image / 1e9),
            }),
          ],
        ]}
      />
      <h3>{t("Parameters by part")}</h3>
      <dl className="pd-counts">
        {parts.map((part) => (
          <Part key={part.name} name={part.name} count={part.num_parameters} most={most} />
        ))}
      </dl>
    </section>
  );
}

interface PartProps {
  readonly name: string;
  readonly count: number;
  readonly most: number;
}

function Part({ name, count, most }: PartProps): ReactElement {
  return (
    <>
      <dt title={name}>{name}</dt>
      <dd>
        <span className="pd-count-bar" data-colour="red">
          <i style={{ width: `${(100 * count) / most}%` }} />
        </span>
        {formatCount(count)}
      </dd>
    </>
  );
}
