/** Registration of a file that a node wrote: as a model, or an archive as a dataset. */

import { type FormEvent, type ReactElement, useId, useState } from "react";

import { announceDataset } from "../../api/datasetEvents";
import { uploadDataset } from "../../api/datasets";
import { fileOf, registerFile, type StepName } from "../../api/stepFiles";
import type { FileEntry } from "../../api/types.gen";
import { datasetName } from "../../browser/files";
import { contentKind } from "../../graph/fileKinds";
import type { Editor } from "../../store/editor";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { useEditor } from "../../view/context";
import { formatBytes } from "../../view/format";
import { t } from "../../graph/translate";

interface Props {
  readonly name: StepName;
  readonly file: FileEntry;
  readonly onClose: () => void;
}

export default function RegisterFile({ name, file, onClose }: Props): ReactElement {
  const editor = useEditor();
  const form = useId();
  const isArchive = contentKind(file.path, file.num_bytes) === "archive";
  const [asDataset, setAsDataset] = useState(isArchive);
  const [sending, setSending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (field: string): string => String(data.get(field) ?? "").trim();
    setSending(true);
    try {
      if (asDataset) await keepDataset(editor, name, file.path, text("name"));
      else {
        const [alias, description] = [text("alias") || null, text("description") || null];
        const made = await registerFile(editor.api, name, {
          file: file.path,
          name: text("name"),
          alias,
          description,
        });
        editor.notify(
          t("Registered as {reference}. See Models.", { reference: made.reference }),
          "success",
        );
      }
      onClose();
    } catch (error) {
      editor.notifyError(error);
      setSending(false);
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t("Cancel")}</Button>
      <Button kind="primary" type="submit" form={form} disabled={sending}>
        {sending ? t("Registering") : t("Register")}
      </Button>
    </>
  );
  return (
    <Dialog
      title={t("Register {file}", { file: baseOf(file.path) })}
      onClose={onClose}
      footer={footer}
    >
      <form id={form} className="pd-form" onSubmit={(event) => void submit(event)}>
        <p className="pd-dim">
          {t("{path}, {size}. An existing name gets a new version.", {
            path: file.path,
            size: formatBytes(file.num_bytes),
          })}
        </p>
        {isArchive && (
          <label>
            {t("As")}
            <select
              className="pd-input"
              value={asDataset ? "dataset" : "model"}
              onChange={(event) => setAsDataset(event.target.value === "dataset")}
              data-testid="register-as"
            >
              <option value="dataset">{t("dataset of images")}</option>
              <option value="model">{t("model (the archive)")}</option>
            </select>
          </label>
        )}
        <label>
          {t("Name")}
          <input
            className="pd-input"
            name="name"
            required
            data-first
            maxLength={100}
            defaultValue={datasetName(baseOf(file.path))}
            data-testid="register-name"
          />
        </label>
        {!asDataset && <ModelTexts />}
      </form>
    </Dialog>
  );
}

function ModelTexts(): ReactElement {
  return (
    <>
      <label>
        {t("Alias")}
        <input
          className="pd-input"
          name="alias"
          maxLength={100}
          placeholder={t("best (optional)")}
        />
      </label>
      <label>
        {t("Description")}
        <textarea className="pd-input" name="description" rows={2} maxLength={20_000} />
      </label>
      <p className="pd-dim">
        {t(
          "The file is stored unchanged. To score with it, connect Make Trained Model to the node.",
        )}
      </p>
    </>
  );
}

const baseOf = (path: string): string => path.split("/").pop() ?? path;

async function keepDataset(
  editor: Editor,
  step: StepName,
  path: string,
  name: string,
): Promise<void> {
  const content = await fileOf(editor.api, step, path);
  const made = await uploadDataset(editor.api, new File([content], baseOf(path)), name);
  announceDataset();
  editor.notify(t("{name} was added as a dataset.", { name: made.name }), "success");
}
