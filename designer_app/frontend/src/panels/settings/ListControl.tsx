/** A list of texts, one per line; placeholders for inputs and outputs are completed while
 * typing. */

import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";

import { isComposing } from "../../browser/composing";
import { itemsOf } from "../../graph/lineLists";
import { type Completion, completionAt } from "../../graph/templates";
import { t } from "../../graph/translate";

interface Props {
  readonly id: string;
  readonly testId: string;
  readonly items: readonly string[];
  /** Placeholders that can be completed. */
  readonly templates: readonly string[];
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (items: readonly string[]) => void;
  readonly onDone: () => void;
}

const LEAST_ROWS = 2;
const MOST_ROWS = 12;

export function ListControl(props: Props): ReactElement {
  const { id, testId, items, templates, invalid, describedBy, onChange, onDone } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  const text = draft ?? items.join("\n");
  const write = (next: string, caret: number): void => {
    setDraft(next);
    setCompletion(completionAt(next, caret, templates));
    setChosen(0);
    onChange(itemsOf(next));
  };
  const complete = (option: string): void => {
    if (!completion) return;
    const { from, to } = completion;
    write(text.slice(0, from) + option + text.slice(to), -1);
    const end = from + option.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = completion?.options[chosen];
    if (!completion || option === undefined || isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = completion.options.length;
    if (step !== undefined) setChosen((chosen + step + count) % count);
    else if (event.key === "Enter" || event.key === "Tab") complete(option);
    else if (event.key === "Escape") setCompletion(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span className="pd-list-control">
      <textarea
        ref={field}
        id={id}
        className="pd-input"
        data-testid={testId}
        rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n").length))}
        value={text}
        placeholder={t("one per line")}
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={completion && `${id}-options`}
        aria-activedescendant={completion && `${id}-option-${chosen}`}
        onChange={(event) => write(event.target.value, event.target.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setDraft(null);
          setCompletion(undefined);
          onDone();
        }}
      />
      {completion && (
        <Options id={id} options={completion.options} chosen={chosen} onChoose={complete} />
      )}
    </span>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly options: readonly string[];
  readonly chosen: number;
  readonly onChoose: (option: string) => void;
}

function Options({ id, options, chosen, onChoose }: OptionsProps): ReactElement {
  return (
    <ul
      className="pd-completions pd-scroll"
      role="listbox"
      id={`${id}-options`}
      aria-label={t("Placeholders")}
      data-testid="completions"
    >
      {options.map((option, place) => (
        <li
          key={option}
          id={`${id}-option-${place}`}
          role="option"
          aria-selected={place === chosen}
          ref={(item) => {
            if (place === chosen) item?.scrollIntoView({ block: "nearest" });
          }}
          onPointerDown={(event) => {
            event.preventDefault(); // the field keeps the focus
            onChoose(option);
          }}
        >
          {option}
        </li>
      ))}
    </ul>
  );
}
