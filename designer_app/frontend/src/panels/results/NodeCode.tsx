/** Node as a complete script. */

import { Copy } from "lucide-react";
import type { ReactElement } from "react";

import { pythonOf } from "../../export/python";
import { Button } from "../../ui/buttons";
import { useEditorState, useView } from "../../view/context";
import { speak } from "../../view/viewStore";
import { selectCatalog, selectWhole } from "../../store/selectors";
import { t } from "../../graph/translate";

export function NodeCode({ node }: { readonly node: string }): ReactElement {
  const view = useView();
  const document = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const code = pythonOf(document, catalog, node);
  const copy = (): void => {
    void navigator.clipboard?.writeText(code).then(() => speak(view, t("Code copied.")));
  };
  return (
    <>
      <p className="pd-dim">
        {t("This node and its inputs as Python code, ready for a script or notebook.")}
      </p>
      <pre className="pd-code" tabIndex={0}>
        {code}
      </pre>
      <p className="pd-code-actions">
        <Button small onClick={copy}>
          <Copy size={13} aria-hidden /> {t("Copy")}
        </Button>
      </p>
    </>
  );
}
