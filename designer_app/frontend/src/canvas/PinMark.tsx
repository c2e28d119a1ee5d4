/** Mark of a pinned node, with the run that its result comes from. */

import { Pin } from "lucide-react";
import type { ReactElement } from "react";

import { pinWords } from "../view/pinWords";

export function PinMark({ run }: { readonly run: string }): ReactElement {
  const words = pinWords(run);
  return (
    <span className="pd-badge" data-severity="pin" title={words}>
      <Pin size={11} aria-label={words} />
    </span>
  );
}
