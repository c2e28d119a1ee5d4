/** Path of the canvas while it shows the inside of a sub-pipeline, with links back. */

import { ChevronRight } from "lucide-react";
import { Fragment, type ReactElement } from "react";

import { titlesAlong } from "../graph/places";
import { selectCatalog, selectPlace, selectWhole } from "../store/selectors";
import { useEditor, useEditorState } from "../view/context";
import { t } from "../graph/translate";

export function Breadcrumb(): ReactElement | null {
  const editor = useEditor();
  const place = useEditorState(selectPlace);
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  if (!place) return null;
  const steps = [
    { place: "", title: whole.name || t("Pipeline") },
    ...titlesAlong(whole, catalog, place),
  ];
  return (
    <nav className="pd-breadcrumb" aria-label={t("Sub-pipeline")} data-testid="breadcrumb">
      {steps.map((step) => (
        <Fragment key={step.place}>
          {step.place !== "" && <ChevronRight size={13} aria-hidden />}
          {step.place === place ? (
            <span aria-current="page">{step.title}</span>
          ) : (
            <button
              type="button"
              title={t("Back to {title}", { title: step.title })}
              data-testid={`breadcrumb-${step.place}`}
              onClick={() => {
                editor.leave(step.place);
                editor.canvas?.focus();
              }}
            >
              {step.title}
            </button>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
