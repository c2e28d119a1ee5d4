/** Documentation of a module: description, inputs, outputs, and parameters. */

import type { ReactElement } from "react";

import { colourOf } from "../../graph/catalog";
import { limitsOf } from "../../graph/limits";
import { textOf } from "../../graph/parameters";
import type { ParameterSpec, PortSpec } from "../../graph/types";
import { typeWords } from "../../graph/typeWords";
import { useEditor, useEditorState } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { selectCatalog } from "../../store/selectors";
import { t } from "../../graph/translate";

export function ModuleDocumentation({ id }: { readonly id: string }): ReactElement | null {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const module = catalog.byId.get(id);
  if (!module) return null;
  return (
    <Dialog title={module.title} wide onClose={() => editor.closeDialog()}>
      <div className="pd-documentation" data-testid="module-documentation">
        <p className="pd-dim">
          {t("{category}, version {version}", {
            category: module.category,
            version: module.version,
          })}
        </p>
        <p>{module.summary}</p>
        {module.description !== module.summary && <p>{module.description}</p>}
        <Ports title={t("Inputs")} ports={module.inputs} />
        <Parameters parameters={module.parameters} />
        <Ports title={t("Outputs")} ports={module.outputs} />
        {module.origin === "import" && (
          <p>
            <a href={`/docs/reference/generated/modules/${id}.html`} target="_blank" rel="noopener">
              {t("Open the documentation")}
            </a>
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface PortsProps {
  readonly title: string;
  readonly ports: readonly PortSpec[];
}

function Ports({ title, ports }: PortsProps): ReactElement | null {
  const catalog = useEditorState(selectCatalog);
  if (ports.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {ports.map((port) => (
          <div key={port.id}>
            <dt>
              <span className="pd-dot" data-type={colourOf(catalog, port.type)} /> {port.title}
              <small>
                {typeWords(port.type)}
                {port.optional ? ", optional" : ""}
              </small>
            </dt>
            <dd>{port.description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Parameters(props: { readonly parameters: readonly ParameterSpec[] }): ReactElement | null {
  const { parameters } = props;
  if (parameters.length === 0) return null;
  return (
    <section>
      <h3>{t("Parameters")}</h3>
      <dl>
        {parameters.map((parameter) => (
          <div key={parameter.id}>
            <dt>
              {parameter.title ?? parameter.id}
              <small>{factsOf(parameter)}</small>
            </dt>
            <dd>{parameter.help}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** "images, at least 1, by default 32" */
function factsOf(parameter: ParameterSpec): string {
  const choices = parameter.choices?.map(textOf).join(", ");
  const start = textOf(parameter.default);
  return [
    parameter.unit,
    choices ?? limitsOf(parameter),
    start && t("by default {value}", { value: start }),
  ]
    .filter(Boolean)
    .join("; ");
}
