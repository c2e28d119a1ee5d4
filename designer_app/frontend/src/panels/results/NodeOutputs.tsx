/** Outputs of a node: their content, and a button to open each. */

import type { ReactElement } from "react";

import { emptyFor } from "../../graph/madeWith";
import type { PipelineNode, PortSpec } from "../../graph/types";
import { canTry } from "../../graph/tryable";
import { typeWords } from "../../graph/typeWords";
import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { openOutput, outputsOf } from "../../store/pageHost";
import { selectCatalog, selectStep } from "../../store/selectors";
import { t } from "../../graph/translate";
import { RegisterModel } from "./RunResult";

interface Props {
  readonly node: PipelineNode;
  /** True for the result of the run, from which its model is registered. */
  readonly isResult?: boolean;
}

export function NodeOutputs({ node, isResult = false }: Props): ReactElement {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const step = useEditorState(selectStep(node.id));
  const ready = outputsOf(editor.state, node.id).length > 0;
  const module = catalog.byId.get(node.module);
  if (!module?.outputs.length) return <p className="pd-dim">{t("This node has no outputs.")}</p>;
  return (
    <>
      {module.outputs.map((port) => {
        const lacking = emptyFor(port, node, module);
        return (
          <div className="pd-box pd-output" key={port.id}>
            <b>{port.title}</b> <KindOf port={port} />
            <p>{port.description}</p>
            {lacking ? (
              <p className="pd-dim">
                {t("Empty: {title} is not set.", { title: lacking.title ?? lacking.id })}
              </p>
            ) : (
              <div className="pd-output-ways">
                <Button
                  small
                  disabled={!ready}
                  data-testid={`look-${port.id}`}
                  onClick={() => openOutput(editor.state, node.id, port.id)}
                >
                  {t("Open details")}
                </Button>
                {ready && canTry(port) && (
                  <Button
                    small
                    data-testid={`try-${port.id}`}
                    onClick={() =>
                      editor.shell
                        ? editor.shell.show("try")
                        : openOutput(editor.state, node.id, port.id, "try")
                    }
                  >
                    {t("Try an image")}
                  </Button>
                )}
                {ready && isResult && canTry(port) && <RegisterModel />}
                {ready && port.type === "TrainedModel" && (
                  <Button
                    small
                    data-testid={`register-${port.id}`}
                    onClick={() => openOutput(editor.state, node.id, port.id, "register")}
                  >
                    {t("Register model")}
                  </Button>
                )}
              </div>
            )}
          </div>
        );
      })}
      <p className="pd-dim">
        {ready
          ? t("You can also click the port on the canvas or press O.")
          : step
            ? t("No output in this run yet.")
            : t("Not run yet. Press Run to see the outputs.")}
      </p>
    </>
  );
}

/** Type of the output, if its title does not name it. */
function KindOf({ port }: { readonly port: PortSpec }): ReactElement | null {
  const words = typeWords(port.type);
  return words === port.title.toLowerCase() ? null : <span className="pd-dim">{words}</span>;
}
