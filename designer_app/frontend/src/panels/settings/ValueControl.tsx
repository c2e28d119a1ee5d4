/** Control for a value: checkbox, list of choices, lines, number or text; typed text is kept. */

import { type ReactElement, useState } from "react";

import type { CodeFault } from "../../graph/codeFaults";
import { parseInput, textOf } from "../../graph/parameters";
import { isLineList } from "../../graph/lineLists";
import type { JsonValue, ParameterSpec, Problem } from "../../graph/types";
import { CodeControl } from "../code/CodeControl";
import { ListControl } from "./ListControl";
import { MIXED, MixedOption } from "./MixedOption";
import type { ChoicesThere } from "./useChoicesThere";
import { t } from "../../graph/translate";

interface Props {
  readonly id: string;
  readonly testId: string;
  readonly parameter: ParameterSpec;
  readonly value: JsonValue;
  /** Text for several nodes with different values. */
  readonly differ?: string | undefined;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
  /** Choices in the data, if the data determines them. */
  readonly there?: ChoicesThere;
  /** Placeholders that texts may contain. */
  readonly templates?: readonly string[];
  /** Places of errors in a program. */
  readonly faults?: readonly CodeFault[];
  /** Problem of a program that came with somebody else's pipeline and is not approved. */
  readonly foreign?: Problem | undefined;
  readonly onChange: (value: JsonValue) => void;
  readonly onDone: () => void;
}

export function ValueControl(props: Props): ReactElement {
  const { parameter, value } = props;
  if (parameter.type === "boolean" && !parameter.nullable) return <Checkbox {...props} />;
  const choices = parameter.choices ?? (parameter.type === "boolean" ? [true, false] : null);
  if (choices) return <Choice {...props} choices={choices} />;
  if (parameter.code && (value === null || typeof value === "string")) {
    return <Program {...props} text={value ?? ""} />;
  }
  if (parameter.items === "string" && isLineList(value ?? [])) return <Lines {...props} />;
  const text = props.differ === undefined ? textOf(value) : "";
  return <Typed key={parameter.id} {...props} text={text} />;
}

function Lines({ value, templates = [], onChange, ...rest }: Props): ReactElement {
  const items = isLineList(value) ? value : [];
  return <ListControl {...rest} items={items} templates={templates} onChange={onChange} />;
}

function Program(props: Props & { readonly text: string }): ReactElement {
  const { parameter, faults = NO_FAULTS, foreign, onChange, ...rest } = props;
  return (
    <CodeControl
      {...rest}
      title={parameter.title ?? parameter.id}
      faults={faults}
      foreign={foreign}
      maxLength={parameter.max_length}
      onChange={(text) => onChange(text === "" && parameter.nullable ? null : text)}
    />
  );
}

const NO_FAULTS: readonly CodeFault[] = [];

function Checkbox(props: Props): ReactElement {
  const { id, testId, value, differ, invalid, describedBy, onChange } = props;
  return (
    <input
      id={id}
      type="checkbox"
      data-testid={testId}
      ref={(box) => void (box && (box.indeterminate = differ !== undefined))}
      checked={differ === undefined && value === true}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface ChoiceProps extends Props {
  readonly choices: readonly JsonValue[];
}

function Choice(props: ChoiceProps): ReactElement {
  const { id, testId, parameter, value, invalid, describedBy, choices, onChange, onDone } = props;
  const options = choices.map(textOf);
  const current = textOf(value);
  const isKnown = options.includes(current) || (value === null && parameter.nullable);
  return (
    <select
      id={id}
      className="pd-input"
      data-testid={testId}
      value={props.differ === undefined ? current : MIXED}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      title={current}
      onChange={(event) => {
        const place = options.indexOf(event.target.value);
        onChange(place < 0 ? null : (choices[place] ?? null));
        onDone();
      }}
    >
      <MixedOption words={props.differ} />
      {parameter.nullable && <option value="">{t("(none)")}</option>}
      {!isKnown && <option value={current}>{t("{current} (invalid)", { current })}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {worded(option, props.there)}
        </option>
      ))}
    </select>
  );
}

/** "train: train (300 images, 10 classes)"; choices missing in the data are marked. */
function worded(option: string, there: ChoicesThere): string {
  if (!there) return option;
  const words = there[option];
  return words === undefined ? t("{option}: not in the data", { option }) : `${option}: ${words}`;
}

/** "resnet18: download, 45 MB"; undefined if nothing is known about it. */
function labelOf(suggestion: string, there: ChoicesThere): string | undefined {
  return there?.[suggestion] === undefined ? undefined : worded(suggestion, there);
}

interface TypedProps extends Props {
  readonly text: string;
}

/** While it has focus the field shows the typed text, including "1." and "-". */
function Typed(props: TypedProps): ReactElement {
  const { id, testId, parameter, differ, invalid, describedBy, text, onChange, onDone } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const isNumber = parameter.type === "integer" || parameter.type === "number";
  const list = parameter.suggestions.length > 0 ? `${id}-list` : undefined;
  return (
    <>
      <input
        id={id}
        className="pd-input"
        type="text"
        inputMode={isNumber ? "decimal" : "text"}
        list={list}
        data-testid={testId}
        value={draft ?? text}
        placeholder={differ ? t("mixed") : parameter.nullable ? t("none") : undefined}
        title={differ && t("Set to {value}", { value: differ })}
        maxLength={parameter.max_length ?? undefined}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={parameter.required}
        onFocus={(event) => isNumber && event.target.select()}
        onChange={(event) => {
          setDraft(event.target.value);
          onChange(parseInput(parameter, event.target.value));
        }}
        onKeyDown={(event) => {
          if (isNumber && !event.ctrlKey && stepped(event.key, text, parameter) !== undefined) {
            event.preventDefault();
            setDraft(null);
            onChange(stepped(event.key, text, parameter) ?? null);
          }
        }}
        onBlur={() => {
          setDraft(null);
          onDone();
        }}
      />
      {list && (
        <datalist id={list}>
          {parameter.suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} label={labelOf(suggestion, props.there)} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Return the value after an up or down arrow key, for whole numbers. */
function stepped(key: string, text: string, parameter: ParameterSpec): number | undefined {
  const step = { ArrowUp: 1, ArrowDown: -1 }[key];
  const value = Number(text);
  if (step === undefined || parameter.type !== "integer" || text === "" || Number.isNaN(value)) {
    return undefined;
  }
  const least = parameter.minimum ?? (parameter.exclusive_minimum ?? -Infinity) + 1;
  return Math.min(parameter.maximum ?? Infinity, Math.max(least, value + step));
}
