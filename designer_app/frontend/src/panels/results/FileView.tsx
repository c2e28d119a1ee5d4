/** File of a node in a dialog: an image, the first rows of a table, or text. */

import { type ReactElement, useCallback } from "react";

import { fileOf, type StepName } from "../../api/stepFiles";
import type { FileEntry } from "../../api/types.gen";
import { contentKind, tableRows } from "../../graph/fileKinds";
import { Dialog } from "../../ui/Dialog";
import { useEditor } from "../../view/context";
import { useAnswer } from "../../view/useAnswer";

const MOST_ROWS = 200;

interface Props {
  readonly name: StepName;
  readonly file: FileEntry;
  readonly onClose: () => void;
}

export function FileView({ name, file, onClose }: Props): ReactElement {
  const editor = useEditor();
  const { run, node } = name;
  const ask = useCallback(
    () => fileOf(editor.api, { run, node }, file.path),
    [editor, run, node, file.path],
  );
  const { value, failed } = useAnswer(ask);
  return (
    <Dialog title={file.path} wide onClose={onClose}>
      <div data-testid="file-view">
        {failed && <p className="pd-error-text">{failed}</p>}
        {value && <Content blob={value} file={file} />}
      </div>
    </Dialog>
  );
}

function Content({ blob, file }: { readonly blob: Blob; readonly file: FileEntry }): ReactElement {
  const kind = contentKind(file.path, file.num_bytes);
  if (kind === "picture") return <Picture blob={blob} path={file.path} />;
  return <Text blob={blob} separator={kind === "table" ? separatorOf(file.path) : undefined} />;
}

const separatorOf = (path: string): string => (path.toLowerCase().endsWith(".tsv") ? "\t" : ",");

function Picture({ blob, path }: { readonly blob: Blob; readonly path: string }): ReactElement {
  const show = useCallback(
    (image: HTMLImageElement) => {
      image.src = URL.createObjectURL(blob);
      return () => URL.revokeObjectURL(image.src);
    },
    [blob],
  );
  return <img ref={show} className="pd-file-picture" alt={path} />;
}

interface TextProps {
  readonly blob: Blob;
  /** Separator of a table. */
  readonly separator: string | undefined;
}

function Text({ blob, separator }: TextProps): ReactElement | null {
  const { value: text } = useAnswer(useCallback(() => blob.text(), [blob]));
  if (text === null) return null;
  if (separator === undefined) return <pre className="pd-foreign-values">{text}</pre>;
  const [head = [], ...rows] = tableRows(text, separator, MOST_ROWS + 1);
  return (
    <table className="pd-variables">
      <thead>
        <tr>
          {head.map((cell, place) => (
            <th key={place} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, place) => (
              <td key={place}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
