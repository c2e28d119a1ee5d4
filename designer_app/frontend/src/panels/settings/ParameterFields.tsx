/** Parameters of a node by heading; advanced ones are collapsed. */

import { Fragment, type ReactElement, useState } from "react";

import { isFollowing } from "../../graph/followers";
import { groupedParameters, type ParameterGroup, isChanged } from "../../graph/parameters";
import type { ModuleSpec, ParameterSpec, PipelineNode, Settings } from "../../graph/types";
import { useViewState } from "../../view/context";
import { selectWantedParameter } from "../../view/viewStore";
import { Fold } from "./Fold";
import { ParameterField } from "./ParameterField";
import { t } from "../../graph/translate";

interface Props {
  readonly module: ModuleSpec;
  readonly node: PipelineNode;
  readonly settings: Settings;
}

export function ParameterFields(props: Props): ReactElement {
  const { module, node } = props;
  if (module.parameters.length === 0) {
    return <p className="pd-dim">{t("{title} has no parameters.", { title: module.title })}</p>;
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
  const { group, module, node, settings } = props;
  const wanted = useViewState(selectWantedParameter);
  const [open, setOpen] = useState(!group.folded);
  const isOpen = open || group.parameters.some((parameter) => parameter.id === wanted);
  const changed = group.parameters.filter((parameter) => isChanged(parameter, node)).length;
  const [apart, setApart] = useState(false);
  const following = group.parameters.filter(
    (parameter) => !apart && parameter.id !== wanted && isFollowing(module, node, parameter),
  );
  const shown = group.parameters.filter((parameter) => !following.includes(parameter));
  const fields = shown.map((parameter) => {
    const follower = following.find(({ follows }) => follows?.parameter === parameter.id);
    return (
      <Fragment key={`${node.id}.${parameter.id}`}>
        <ParameterField
          parameter={parameter}
          node={node}
          settings={settings}
          together={follower?.follows?.together}
        />
        {follower && <Follower follower={follower} onApart={() => setApart(true)} />}
      </Fragment>
    );
  });
  if (!group.folded) {
    return (
      <section aria-label={group.title || t("Parameters")}>
        {group.title && <h3 className="pd-heading">{group.title}</h3>}
        {fields}
      </section>
    );
  }
  return (
    <section aria-label={group.title}>
      <Fold
        title={group.title}
        note={changed > 0 ? t("{changed} changed", { changed }) : undefined}
        testId={`fold-${group.title.toLowerCase()}`}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
      >
        {fields}
      </Fold>
    </section>
  );
}

interface FollowerProps {
  readonly follower: ParameterSpec;
  readonly onApart: () => void;
}

/** Names of the other parameters that a field sets, with a button to show them separately. */
function Follower({ follower, onApart }: FollowerProps): ReactElement {
  const title = follower.title ?? follower.id;
  return (
    <p className="pd-field-help">
      {t("{title} is the same.", { title })}{" "}
      <button
        type="button"
        className="pd-link"
        data-testid={`apart-${follower.id}`}
        onClick={onApart}
      >
        {t("Set separately")}
      </button>
    </p>
  );
}
