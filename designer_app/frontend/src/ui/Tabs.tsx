/** Row of tabs: arrow keys move, as in the ARIA pattern. */

import type { KeyboardEvent, ReactElement, ReactNode } from "react";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: ReactNode;
  readonly testId?: string;
}

interface Props<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id | null;
  readonly onSelect: (id: Id) => void;
  readonly panelId: string;
}

export function Tabs<Id extends string>(props: Props<Id>): ReactElement {
  const { label, tabs, selected, onSelect, panelId } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const place = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className="pd-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab, place) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className="pd-tab"
          data-tab={tab.id}
          data-testid={tab.testId}
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          tabIndex={tab.id === selected || (selected === null && place === 0) ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
