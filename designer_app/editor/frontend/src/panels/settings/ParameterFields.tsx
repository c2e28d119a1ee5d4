/** All parameters of a node under their headings; the advanced ones fold. */

import { ChevronDown } from "lucide-react";
import { type ReactElement, useState } from "react";

import { groupedParameters, type ParameterGroup, isChanged } from "../../graph/parameters";
import type { ModuleSpec, PipelineNode, Problem, Settings } from "../../graph/types";
import { useViewState } from "../../view/context";
import { selectWantedParameter } from "../../view/viewStore";
import { ParameterField } from "./ParameterField";

interface Props {
  readonly module: ModuleSpec;
  readonly node: PipelineNode;
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

export function ParameterFields(props: Props): ReactElement {
  const { module, node } = props;
  if (module.parameters.length === 0) {
    return <p className="pd-dim">{module.title} has no parameters: it only needs its inputs.</p>;
  }
  return (
    <>
      {groupedParameters(module, node).map((group) => (
        <Group key={group.title} group={group} {...props} />
      ))}
    </>
  );
}

function Group(props: Props & { readonly group: ParameterGroup }): ReactElement {
  const { group, node, settings, problems } = props;
  const wanted = useViewState(selectWantedParameter);
  const [open, setOpen] = useState(!group.folded);
  const isOpen = open || group.parameters.some((each) => each.id === wanted);
  const changed = group.parameters.filter((each) => isChanged(each, node)).length;
  const fields = group.parameters.map((parameter) => (
    <ParameterField
      key={`${node.id}.${parameter.id}`}
      parameter={parameter}
      node={node}
      settings={settings}
      found={foundBy(problems, parameter.id)}
    />
  ));
  if (!group.folded) {
    return (
      <section aria-label={group.title || "Parameters"}>
        {group.title && <h3 className="pd-heading">{group.title}</h3>}
        {fields}
      </section>
    );
  }
  return (
    <section aria-label={group.title}>
      <button
        type="button"
        className="pd-fold"
        aria-expanded={isOpen}
        data-testid={`fold-${group.title.toLowerCase()}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          {group.title} {changed > 0 && <small>{changed} changed</small>}
        </span>
        <ChevronDown size={15} aria-hidden />
      </button>
      {isOpen && fields}
    </section>
  );
}

function foundBy(problems: readonly Problem[], parameter: string): string | undefined {
  const problem = problems.find((each) => each.parameter === parameter);
  return problem && `${problem.message} ${problem.cure}`;
}
