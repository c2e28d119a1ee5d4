/** Ending trainings early cannot be taken back: it is asked for once. */

import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import { useEditor } from "../../view/context";
import { stopText } from "../../view/stopText";
import { Dialog } from "../../ui/Dialog";

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
      <Button onClick={close}>Go on training</Button>
      <Button kind="danger" data-first data-testid="stop-confirm" onClick={() => void stop()}>
        Stop and keep
      </Button>
    </>
  );
  return (
    <Dialog title="End the training now?" onClose={close} footer={footer}>
      <p>
        It ends for good and hands on its best model so far; the rest of the run goes on with that.
        The model counts for this run only: the next run trains anew.
      </p>
    </Dialog>
  );
}
