/** Search field with a list below: arrows move, Enter selects, Escape closes. */

import { Search } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

import { isComposing } from "../../browser/composing";
import { useRoot } from "../../view/context";
import { useFloating } from "../../ui/useFloating";

export interface Found {
  readonly id: string;
  readonly icon?: ReactNode;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  readonly disabled?: boolean;
}

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly testId: string;
  /** Pixels of the window; null for the middle, at the top. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly find: (query: string) => readonly Found[];
  /** `also` is true if Shift was held, which extends the selection. */
  readonly onChoose: (id: string, also: boolean) => void;
  readonly onClose: () => void;
  readonly nothing: string;
}

const MOST = 60;

export function Finder(props: Props): ReactElement {
  const { label, placeholder, testId, at, find, onChoose, onClose, nothing } = props;
  const [query, setQuery] = useState("");
  const [place, setPlace] = useState(0);
  const listId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const floating = useFloating(frame, at?.x ?? 0, at?.y ?? 0);
  const matches = find(query).slice(0, MOST);
  useCloseOutside(frame, onClose);
  useGiveBackFocus();
  const choose = (one: Found | undefined, also: boolean): void => {
    if (!one || one.disabled) return;
    onChoose(one.id, also);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && matches.length > 0) {
      event.preventDefault();
      setPlace((place + step + matches.length) % matches.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(matches[place], event.shiftKey);
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      onClose();
    }
  };
  return (
    <div
      ref={frame}
      className="pd-finder"
      role="dialog"
      aria-label={label}
      data-testid={testId}
      data-place={at ? undefined : "top"}
      style={at ? floating : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="pd-finder-input">
        <Search size={16} aria-hidden />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={matches[place] ? `${listId}-${place}` : undefined}
          placeholder={placeholder}
          data-testid={`${testId}-input`}
          value={query}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setQuery(event.target.value);
            setPlace(0);
          }}
        />
      </div>
      <div className="pd-options pd-scroll" role="listbox" id={listId} aria-label={label}>
        {matches.map((one, index) => (
          <Option
            key={one.id}
            id={`${listId}-${index}`}
            match={one}
            selected={index === place}
            onPoint={() => setPlace(index)}
            onChoose={(also) => choose(one, also)}
          />
        ))}
        {matches.length === 0 && <p className="pd-empty">{nothing}</p>}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly match: Found;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (also: boolean) => void;
}

function Option({ id, match, selected, onPoint, onChoose }: OptionProps): ReactElement {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) ref.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div
      ref={ref}
      id={id}
      role="option"
      className="pd-option"
      data-testid={`found-${match.id}`}
      aria-selected={selected}
      aria-disabled={match.disabled}
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.shiftKey)}
    >
      {match.icon}
      <span className="pd-option-text">
        {match.title}
        {match.detail && <small>{match.detail}</small>}
      </span>
      {match.keys && <kbd>{match.keys}</kbd>}
    </div>
  );
}

function useCloseOutside(frame: React.RefObject<HTMLElement | null>, onClose: () => void): void {
  const root = useRoot();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const closeIfOutside = (event: PointerEvent): void => {
      if (!event.composedPath().includes(frame.current as EventTarget)) close.current();
    };
    root.addEventListener("pointerdown", closeIfOutside, true);
    return () => root.removeEventListener("pointerdown", closeIfOutside, true);
  }, [root, frame]);
}

/** Return focus to its previous place, so that the keyboard continues on the canvas. */
function useGiveBackFocus(): void {
  const root = useRoot();
  useEffect(() => {
    const host = root.getRootNode() as Document | ShadowRoot;
    const before = host.activeElement;
    return () => {
      const now = host.activeElement;
      const isFree = now === null || now === document.body || !root.contains(now);
      if (!isFree) return;
      const target = before instanceof HTMLElement && before.isConnected ? before : root;
      target.focus({ preventScroll: true });
    };
  }, [root]);
}
