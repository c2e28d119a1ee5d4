/** Files that a node's own processes write, during and after the run: viewed, saved, registered. */

import { Download, Eye, FileInput } from "lucide-react";
import { lazy, type ReactElement, Suspense, useCallback, useEffect, useState } from "react";

import { fileOf, filesOf, type StepName } from "../../api/stepFiles";
import type { FileEntry } from "../../api/types.gen";
import { contentKind } from "../../graph/fileKinds";
import { isStepFinished } from "../../graph/runState";
import type { PipelineNode } from "../../graph/types";
import { selectCatalog, selectIsReadOnly, selectRunId, selectStep } from "../../store/selectors";
import type { Editor } from "../../store/editor";
import { IconButton } from "../../ui/buttons";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditor, useEditorState } from "../../view/context";
import { formatBytes } from "../../view/format";
import { useAnswer } from "../../view/useAnswer";
import { FileView } from "./FileView";
import { t } from "../../graph/translate";

const RegisterFile = lazy(() => importWithRetry(() => import("./RegisterFile")));
const PAUSE_MS = 2_000;
const LOG = /(^|\/)logs\//;

/** Files of a script; nothing for a module without processes, and before there are files. */
export function ScriptFiles({ node }: { readonly node: PipelineNode }): ReactElement | null {
  const run = useEditorState(selectRunId);
  const module = useEditorState(selectCatalog).byId.get(node.module);
  const step = useEditorState(selectStep(node.id));
  if (!run || !module?.launches || !step || step.status === "queued") return null;
  return <Files key={`${run} ${node.id}`} run={run} node={node.id} />;
}

function Files(name: StepName): ReactElement | null {
  const files = useFiles(name);
  const [shown, setShown] = useState<FileEntry | null>(null);
  const [chosen, setChosen] = useState<FileEntry | null>(null);
  if (files.length === 0) return null;
  return (
    <section aria-label={t("Files")} data-testid="script-files">
      <h3 className="pd-heading">{t("Files")}</h3>
      <ul className="pd-files">
        {files.map((file) => (
          <FileRow
            key={file.path}
            name={name}
            file={file}
            onShow={() => setShown(file)}
            onRegister={() => setChosen(file)}
          />
        ))}
      </ul>
      {shown && <FileView name={name} file={shown} onClose={() => setShown(null)} />}
      {chosen && (
        <Suspense fallback={null}>
          <RegisterFile name={name} file={chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </section>
  );
}

/** Refresh every two seconds while the node runs. */
function useFiles({ run, node }: StepName): readonly FileEntry[] {
  const editor = useEditor();
  const step = useEditorState(selectStep(node));
  const isOver = step !== undefined && isStepFinished(step);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setRound((before) => before + 1), PAUSE_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  const ask = useCallback(
    () => filesOf(editor.api, { run, node }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each round asks again
    [editor, run, node, round, isOver],
  );
  return useAnswer(ask).value?.files ?? [];
}

interface RowProps {
  readonly name: StepName;
  readonly file: FileEntry;
  readonly onShow: () => void;
  readonly onRegister: () => void;
}

function FileRow({ name, file, onShow, onRegister }: RowProps): ReactElement {
  const editor = useEditor();
  const isFrozen = useEditorState(selectIsReadOnly);
  const { path, num_bytes: size } = file;
  const kind = contentKind(path, size);
  const nameAt = path.lastIndexOf("/") + 1;
  return (
    <li>
      <span className="pd-file-path" title={path}>
        <span>{path.slice(0, nameAt)}</span>
        <span>{path.slice(nameAt)}</span>
      </span>
      <span className="pd-dim">{formatBytes(size)}</span>
      {kind !== "other" && kind !== "archive" && (
        <IconButton icon={Eye} label={t("View {path}", { path })} onClick={onShow} />
      )}
      {!isFrozen && !LOG.test(path) && (
        <IconButton icon={FileInput} label={t("Register {path}", { path })} onClick={onRegister} />
      )}
      <IconButton
        icon={Download}
        label={t("Download {path}", { path })}
        onClick={() => void keep(editor, name, path)}
      />
    </li>
  );
}

async function keep(editor: Editor, name: StepName, path: string): Promise<void> {
  try {
    const { download } = await import("../../browser/files");
    download(await fileOf(editor.api, name, path), path.split("/").pop() ?? path);
  } catch (error) {
    editor.notifyError(error);
  }
}
