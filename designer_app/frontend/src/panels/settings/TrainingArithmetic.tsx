/** Effective batch size and learning rate of a training with several processes, written out. */

import type { ReactElement } from "react";

import { isTraining } from "../../graph/layout/geometry";
import { valueOf } from "../../graph/parameters";
import type { ModuleSpec, PipelineNode } from "../../graph/types";
import { useEditorState } from "../../view/context";
import { formatNumber } from "../../view/format";
import { selectSettings } from "../../store/selectors";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
}

export function TrainingArithmetic({ node, module }: Props): ReactElement | null {
  const settings = useEditorState(selectSettings);
  if (!module || !isTraining(module)) return null;
  const numberOf = (id: string): number | undefined => {
    const parameter = module.parameters.find((parameter) => parameter.id === id);
    const value = parameter && valueOf(parameter, node, settings);
    return typeof value === "number" ? value : undefined;
  };
  const world = node.run_settings.node_count * node.run_settings.process_count_per_node;
  const batch = numberOf("batch_size");
  const rate = numberOf("learning_rate");
  if (batch === undefined || rate === undefined) return null;
  return (
    <div className="pd-box" data-testid="training-arithmetic">
      <b>{t("World size {world}", { world })}</b>:{" "}
      {rich(
        "effective batch size {batch} × {world} = {all}, learning rate {rate} × {world} = {product}.",
        {
          batch,
          world,
          all: <b>{formatNumber(batch * world)}</b>,
          rate: formatNumber(rate),
          product: <b>{formatNumber(rate * world)}</b>,
        },
      )}
    </div>
  );
}
