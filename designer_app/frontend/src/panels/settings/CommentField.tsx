/** Comment on a node, shown as a mark on the canvas; collapsed if empty. */

import { type ReactElement, useState } from "react";

import { setComment } from "../../graph/edits";
import type { PipelineNode } from "../../graph/types";
import { useEditor } from "../../view/context";
import { Fold } from "./Fold";
import { t } from "../../graph/translate";

export function CommentField({ node }: { readonly node: PipelineNode }): ReactElement {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(node.comment !== "");
  return (
    <section className="pd-section" aria-label={t("Comment")}>
      <Fold
        title={t("Comment")}
        testId="fold-comment"
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
      >
        <textarea
          className="pd-input"
          aria-label={t("Comment")}
          data-testid="node-comment"
          rows={3}
          maxLength={20_000}
          placeholder={t("Why is this node here or set this way?")}
          value={node.comment}
          onChange={(event) => {
            const options = { label: t("Add comment"), coalesceKey: `${node.id}.comment` };
            editor.dispatch(
              (document) => setComment(document, node.id, event.target.value),
              options,
            );
          }}
          onBlur={() => editor.endTyping()}
        />
      </Fold>
    </section>
  );
}
