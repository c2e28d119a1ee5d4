/** A heading that opens and closes the content below it. */

import { ChevronDown } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

interface Props {
  readonly title: string;
  /** Settings inside, summarized next to the title. */
  readonly note?: string | undefined;
  readonly testId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

export function Fold({ title, note, testId, isOpen, onToggle, children }: Props): ReactElement {
  return (
    <>
      <button
        type="button"
        className="pd-fold"
        aria-expanded={isOpen}
        data-testid={testId}
        onClick={onToggle}
      >
        <span>
          {title} {note && <small>{note}</small>}
        </span>
        <ChevronDown size={15} aria-hidden />
      </button>
      {isOpen && children}
    </>
  );
}
