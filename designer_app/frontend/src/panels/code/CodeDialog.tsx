/** Code that came with a pipeline and is not approved yet: reviewed, then approved. */

import { type ReactElement, useCallback, useState } from "react";

import { allowCode, fetchCode } from "../../api/code";
import type { CodePiece } from "../../api/types.gen";
import { pathTitle } from "../../graph/places";
import { selectCatalog, selectWhole } from "../../store/selectors";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { useEditor, useEditorState } from "../../view/context";
import { useAnswer } from "../../view/useAnswer";
import { CodeField } from "./CodeField";
import { t } from "../../graph/translate";

export default function CodeDialog(): ReactElement {
  const editor = useEditor();
  const [sending, setSending] = useState(false);
  const { value, failed } = useAnswer(useForeignPieces());
  const hashes = new Set((value ?? []).map((piece) => piece.hash));
  const allow = async (): Promise<void> => {
    setSending(true);
    try {
      await allowCode(editor.api, [...hashes]);
      await editor.checking.askServer();
      editor.closeDialog();
    } catch (error) {
      editor.notifyError(error);
    }
    setSending(false);
  };
  const footer = (
    <>
      <Button onClick={() => editor.closeDialog()}>{hashes.size ? t("Cancel") : t("Close")}</Button>
      {hashes.size > 0 && (
        <Button
          kind="primary"
          disabled={sending}
          data-testid="allow-code"
          onClick={() => void allow()}
        >
          {hashes.size === 1
            ? t("Approve code")
            : t("Approve {count:,} {count:piece|pieces}", { count: hashes.size })}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={t("Review code")} wide onClose={() => editor.closeDialog()} footer={footer}>
      <div className="pd-foreign" data-testid="foreign-code">
        {failed && <p className="pd-error-text">{failed}</p>}
        {value && <Words count={value.length} />}
        {value?.map((piece) => (
          <Piece key={`${piece.node} ${piece.kind} ${piece.parameter}`} piece={piece} />
        ))}
      </div>
    </Dialog>
  );
}

/** Requested once, when the dialog opens: exactly the reviewed code is approved. */
function useForeignPieces(): () => Promise<readonly CodePiece[]> {
  const editor = useEditor();
  return useCallback(async () => {
    await editor.code.settle();
    const pieces = await fetchCode(editor.api, editor.state.whole);
    return pieces.filter((piece) => !piece.is_allowed);
  }, [editor]);
}

function Words({ count }: { readonly count: number }): ReactElement {
  if (count === 0) return <p>{t("All code of this pipeline is approved on this machine.")}</p>;
  return (
    <p>
      {t(
        "{count:,} {count:piece|pieces} of code, in node order. Approved code runs with your permissions: it can read and change your files and use the network. Approve only code that you understand or whose author you trust.",
        { count },
      )}
    </p>
  );
}

function Piece({ piece }: { readonly piece: CodePiece }): ReactElement {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const title = `${pathTitle(whole, catalog, piece.node)}: ${nameOf(piece)}`;
  const { source, source_problem: problem } = piece;
  return (
    <section aria-label={title} data-testid={`foreign-${piece.node}-${piece.parameter}`}>
      <h3>{title}</h3>
      {piece.settings && (
        <pre
          className="pd-foreign-values"
          tabIndex={0}
          aria-label={t("Settings of {title}", { title })}
        >
          {piece.settings}
        </pre>
      )}
      {piece.kind === t("program") ? (
        <Program title={title} text={piece.text} />
      ) : (
        <pre className="pd-foreign-values" tabIndex={0} aria-label={title}>
          {piece.text}
        </pre>
      )}
      {source?.name && <Program title={source.name} text={source.text} />}
      {source?.is_cut && <p className="pd-dim">{t("Truncated: the rest is not shown.")}</p>}
      {source && source.files.length > 1 && (
        <details>
          <summary>
            {t("{count:,} {count:file|files} in the folder", { count: source.files.length })}
          </summary>
          <pre className="pd-foreign-values">{source.files.join("\n")}</pre>
        </details>
      )}
      {problem && <p className="pd-error-text">{problem}</p>}
    </section>
  );
}

function nameOf({ kind, title }: CodePiece): string {
  if (kind === t("program")) return title;
  return kind === "call" ? t("program") : t("environment variables");
}

const nothing = (): void => undefined;

function Program({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  return (
    <CodeField
      id=""
      testId="foreign-text"
      title={title}
      text={text}
      faults={[]}
      maxLength={null}
      isReadOnly
      onChange={nothing}
      onDone={nothing}
    />
  );
}
