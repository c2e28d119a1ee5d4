/** Link to another page of the app: a plain click stays in the app, others behave like links. */

import type { MouseEvent, ReactElement, ReactNode } from "react";

import { type Place, goOnPage } from "../store/pageHost";

interface Props {
  readonly href: string;
  readonly to: Place;
  readonly testId?: string;
  readonly children: ReactNode;
}

export function PageLink({ href, to, testId, children }: Props): ReactElement {
  return (
    <a
      className="pd-link"
      href={href}
      data-testid={testId}
      onClick={(event) => follow(event, () => goOnPage(to))}
    >
      {children}
    </a>
  );
}

export function follow(event: MouseEvent, go: () => void): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go();
}
