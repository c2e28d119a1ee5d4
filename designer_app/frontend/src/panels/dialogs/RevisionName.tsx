/** Name of a version, and the field that edits it: Enter accepts, Escape cancels. */

import { Pencil } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";

import { nameRevision } from "../../api/pipelines";
import { isComposing } from "../../browser/composing";
import { IconButton } from "../../ui/buttons";
import { useEditor } from "../../view/context";
import { t } from "../../graph/translate";

interface Props {
  readonly revision: number;
  readonly name: string | null;
}

export function RevisionName({ revision, name }: Props): ReactElement {
  const editor = useEditor();
  const [shown, setShown] = useState(name);
  const [naming, setNaming] = useState(false);
  const [wasNaming, setWasNaming] = useState(false);
  const startNaming = (): void => {
    setNaming(true);
    setWasNaming(true); // the focus returns to the button
  };
  const rename = async (text: string): Promise<void> => {
    setNaming(false);
    const wanted = text.trim() || null;
    if (wanted === shown) return;
    setShown(wanted);
    try {
      await nameRevision(editor.api, editor.id, revision, wanted);
    } catch (error) {
      setShown(shown);
      editor.notifyError(error);
    }
  };
  return (
    <div className="pd-revision-name">
      <b>{t("Version {revision}", { revision })}</b>
      {naming ? (
        <NameField
          label={t("Name of version {revision}", { revision })}
          name={shown ?? ""}
          onLeave={() => setNaming(false)}
          onRename={(text) => void rename(text)}
        />
      ) : (
        <>
          {shown !== null && <span className="pd-version-name">{shown}</span>}
          <IconButton
            icon={Pencil}
            label={
              shown === null
                ? t("Name version {revision}", { revision })
                : t("Rename version {revision}", { revision })
            }
            autoFocus={wasNaming}
            onClick={startNaming}
          />
        </>
      )}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly onLeave: () => void;
  readonly onRename: (name: string) => void;
}

function NameField({ label, name, onLeave, onRename }: FieldProps): ReactElement {
  const abandoned = useRef(false);
  return (
    <input
      className="pd-input"
      aria-label={label}
      placeholder={t("baseline, as in the paper")}
      defaultValue={name}
      maxLength={100}
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => (abandoned.current ? onLeave() : onRename(event.target.value))}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event.nativeEvent)) return;
        abandoned.current = event.key === "Escape";
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Escape would close the dialog, and Enter press the button that receives the focus
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
