/** Pane inside a sub-pipeline without a selection: title, description, parameters. */

import { type ReactElement, useId } from "react";

import { changeDefinition } from "../../graph/pipelineParameters";
import { definitionAt } from "../../graph/places";
import type { Definition } from "../../graph/types";
import { selectPlace, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { PipelineParameters } from "./PipelineParameters";
import { t } from "../../graph/translate";

export function SubPipelineSettings(): ReactElement | null {
  const editor = useEditor();
  const place = useEditorState(selectPlace);
  const definition = definitionAt(useEditorState(selectWhole), place);
  const [title, about] = [useId(), useId()];
  if (!definition) return null;
  const { id } = definition;
  const change = (changes: Partial<Pick<Definition, "title" | "description">>): void => {
    const coalesceKey = `definition.${id}.${Object.keys(changes).join()}`;
    const options = { label: t("Set description"), coalesceKey };
    editor.dispatch((d) => changeDefinition(d, id, changes), options);
  };
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <h2>{definition.title || id}</h2>
        </div>
        <p>
          {t(
            "A sub-pipeline of {count:,} {count:node|nodes}. Changes here apply wherever it is used.",
            { count: definition.nodes.length },
          )}
        </p>
      </header>
      <div className="pd-settings-body pd-scroll">
        <div className="pd-field" data-wide>
          <label htmlFor={title}>{t("Title")}</label>
          <input
            id={title}
            className="pd-input"
            maxLength={200}
            data-testid="definition-title"
            value={definition.title}
            onChange={(event) => change({ title: event.target.value })}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <div className="pd-field" data-wide>
          <label htmlFor={about}>{t("Description")}</label>
          <textarea
            id={about}
            className="pd-input"
            rows={4}
            maxLength={20_000}
            placeholder={t("What is this sub-pipeline for?")}
            value={definition.description}
            onChange={(event) => change({ description: event.target.value })}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <PipelineParameters />
      </div>
    </>
  );
}
