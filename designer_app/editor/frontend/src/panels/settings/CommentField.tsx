/** A comment on a node: shown as a mark on the canvas. */

import { type ReactElement, useId } from "react";

import { setComment } from "../../graph/edits";
import type { PipelineNode } from "../../graph/types";
import { useEditor } from "../../view/context";

export function CommentField({ node }: { readonly node: PipelineNode }): ReactElement {
  const editor = useEditor();
  const id = useId();
  return (
    <section className="pd-section" aria-label="Comment">
      <label className="pd-heading" htmlFor={id}>
        Comment
      </label>
      <textarea
        id={id}
        className="pd-input"
        data-testid="node-comment"
        rows={3}
        maxLength={20_000}
        placeholder="Say why it is here or set this way."
        value={node.comment}
        onChange={(event) => {
          const options = { label: "Write a comment", coalesceKey: `${node.id}.comment` };
          editor.dispatch((document) => setComment(document, node.id, event.target.value), options);
        }}
        onBlur={() => editor.endTyping()}
      />
    </section>
  );
}
