/** Confirmation: finishing trainings early cannot be undone. */

import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import { useEditor } from "../../view/context";
import { stopText } from "../../view/stopText";
import { Dialog } from "../../ui/Dialog";
import { t } from "../../graph/translate";

export function StopDialog(): ReactElement {
  const editor = useEditor();
  const close = (): void => editor.closeDialog();
  const stop = async (): Promise<void> => {
    close();
    const trainings = await editor.runs.stopAndKeep();
    if (trainings !== null) editor.notify(stopText(trainings), "information");
  };
  const footer = (
    <>
      <Button onClick={close}>{t("Continue training")}</Button>
      <Button kind="danger" data-first data-testid="stop-confirm" onClick={() => void stop()}>
        {t("Finish early")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("Finish the training early?")} onClose={close} footer={footer}>
      <p>
        {t(
          "The training ends and outputs its best model so far; the run continues with it. The model is used in this run only: the next run trains again.",
        )}
      </p>
    </Dialog>
  );
}
