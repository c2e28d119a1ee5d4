/** One parameter of a node: label with unit and help, the control, problems, reset. */

import { CircleHelp, type LucideIcon, PackageOpen, Unlink, Variable } from "lucide-react";
import { memo, type ReactElement, useEffect, useId, useMemo, useRef, useState } from "react";

import { reachedBy } from "../../graph/binds";
import { type CodeFault, codeFaults } from "../../graph/codeFaults";
import { resetParameter } from "../../graph/edits";
import { setLeading } from "../../graph/followers";
import { isChanged, textOf, valueOf } from "../../graph/parameters";
import { isOuter } from "../../graph/outerBinds";
import { isInside } from "../../graph/paths";
import { isForeignCode, problemAt } from "../../graph/problems";
import { changeParameter, givenBy, makeParameter, unbind } from "../../graph/pipelineParameters";
import { templatesOf } from "../../graph/templates";
import { wordsOfText } from "../../graph/spaces";
import { type TriedParameter, triedBy } from "../../graph/triedParameters";
import type {
  JsonValue,
  ParameterSpec,
  PipelineNode,
  PipelineParameter,
  Problem,
  Settings,
} from "../../graph/types";
import {
  selectCatalog,
  selectDocument,
  selectIsReadOnly,
  selectProblemsOf,
  selectStep,
} from "../../store/selectors";
import { useEditor, useEditorState, useView, useViewState } from "../../view/context";
import { selectWantedParameter } from "../../view/viewStore";
import { ResetButton } from "./ResetButton";
import { TryButton, TryField } from "./TrySpace";
import { useChoicesThere } from "./useChoicesThere";
import { ValueControl } from "./ValueControl";
import { t } from "../../graph/translate";

interface Props {
  readonly parameter: ParameterSpec;
  readonly node: PipelineNode;
  readonly settings: Settings;
  /** Label if it also sets other parameters. */
  readonly together?: string | undefined;
}

export const ParameterField = memo(function ParameterField(props: Props): ReactElement {
  const { parameter, node, settings } = props;
  const editor = useEditor();
  const [helping, setHelping] = useState(false);
  const field = useWanted(parameter.id);
  const id = useId();
  const title = props.together ?? parameter.title ?? parameter.id;
  const outer = useGivenBy(node.id, parameter.id);
  const value = outer ? outer.default : valueOf(parameter, node, settings);
  const foreign = useForeignCode(node.id, parameter);
  const problem = useProblem(node.id, parameter.id);
  const isWarning = problem?.severity === "warning";
  const error = problem && !foreign ? `${problem.message} ${problem.cure}` : undefined;
  const changed = !outer && isChanged(parameter, node);
  const there = useChoicesThere(parameter, node.id);
  const meaning = parameter.choices ? undefined : there?.[textOf(value)];
  const templates = useTemplates(node, parameter);
  const faults = useFaults(node.id, parameter);
  const tried = triedBy(useEditorState(selectCatalog).byId.get(node.module), node, parameter.id);
  const change = (next: JsonValue): void => {
    const before = editor.state.whole;
    if (outer) {
      const options = {
        label: t("Set {title}", { title: outer.title || title }),
        coalesceKey: `parameter.${outer.id}`,
      };
      editor.dispatch((d) => changeParameter(d, outer.id, { default: next }), options);
    } else {
      const options = {
        label: t("Set {title}", { title }),
        coalesceKey: `${node.id}.${parameter.id}`,
      };
      editor.dispatch((d, c) => setLeading(d, c, node.id, parameter.id, next), options);
    }
    if (parameter.runs) editor.code.wrote(before, node.id, parameter.id);
  };
  const reset = (): void => {
    const label = t("Reset {title}", { title });
    editor.dispatch((d) => resetParameter(d, node.id, parameter.id), { label });
  };
  return (
    <div
      className="pd-field"
      ref={field}
      data-kind={parameter.type}
      data-wide={isWide(parameter) || tried !== undefined}
      data-changed={changed}
    >
      <span className="pd-field-label">
        <label htmlFor={id}>{title}</label> {parameter.unit && <small>{parameter.unit}</small>}
        {parameter.help && (
          <button
            type="button"
            className="pd-tiny"
            aria-label={t("About {title}", { title })}
            aria-expanded={helping}
            title={parameter.help}
            onClick={() => setHelping(!helping)}
          >
            <CircleHelp size={13} aria-hidden />
          </button>
        )}
      </span>
      <span className="pd-field-control">
        {tried ? (
          <TriedValue id={id} tried={tried} words={wordsOfText(tried.space, parameter)} />
        ) : (
          <ValueControl
            id={id}
            testId={`param-${parameter.id}`}
            parameter={parameter}
            value={value}
            invalid={error !== undefined && !isWarning}
            describedBy={error === undefined ? undefined : `${id}-error`}
            there={there}
            templates={templates}
            faults={faults}
            foreign={foreign}
            onChange={change}
            onDone={() => editor.endTyping()}
          />
        )}
        {(!tried || outer) && (
          <Binding parameter={parameter} node={node} value={value} isGiven={outer !== undefined} />
        )}
        {!outer && (
          <TryButton
            parameter={parameter}
            node={node}
            title={title}
            value={value}
            isTried={tried !== undefined}
          />
        )}
        {changed && <ResetButton parameter={parameter} title={title} onReset={reset} />}
      </span>
      {tried && (
        <p className="pd-field-help" id={`${id}-tried`} data-testid={`tried-${parameter.id}`}>
          {t("Tried by {title}, whose values replace {value}.", {
            title: tried.by.title ?? tried.by.id,
            value: textOf(value),
          })}
        </p>
      )}
      <TryField parameter={parameter} node={node} title={title} />
      {error !== undefined && (
        <p
          className="pd-error-text"
          data-severity={isWarning ? "warning" : "error"}
          data-testid={`found-${parameter.id}`}
          id={`${id}-error`}
        >
          {error}
        </p>
      )}
      {meaning !== undefined && (
        <p className="pd-field-help" data-testid={`meaning-${parameter.id}`}>
          {meaning}
        </p>
      )}
      {outer && (
        <p className="pd-field-help" data-testid={`given-${parameter.id}`}>
          {givenWords(node.id, outer, outer.title || title)}
        </p>
      )}
      {helping && <p className="pd-field-help">{parameter.help}</p>}
    </div>
  );
});

/** Space of a parameter that its own node varies; its lines are edited in their field. */
interface TriedProps {
  readonly id: string;
  readonly tried: TriedParameter;
  /** Values to try as people read them. */
  readonly words: string;
}

function TriedValue({ id, tried, words }: TriedProps): ReactElement {
  return (
    <input
      id={id}
      className="pd-input"
      readOnly
      value={words}
      title={tried.space}
      aria-describedby={`${id}-tried`}
      data-testid={`param-${tried.id}`}
    />
  );
}

interface BindingProps {
  readonly parameter: ParameterSpec;
  readonly node: PipelineNode;
  readonly value: JsonValue;
  readonly isGiven: boolean;
}

function givenWords(node: string, { id }: PipelineParameter, title: string): string {
  if (!isInside(node)) return t("Set by the parameter {title} of the pipeline.", { title });
  return isOuter(id)
    ? t("Set by the parameter {title} of the enclosing pipeline.", { title })
    : t("Set by the parameter {title} of the sub-pipeline.", { title });
}

function parameterLabel(title: string, inside: boolean): string {
  return inside
    ? t("Make {title} a sub-pipeline parameter", { title })
    : t("Make {title} a pipeline parameter", { title });
}

/** Button that binds it to a new parameter of the pipeline or the shown sub-pipeline, or unbinds
 * it. */
function Binding({ parameter, node, value, isGiven }: BindingProps): ReactElement | null {
  const editor = useEditor();
  const frozen = useEditorState(selectIsReadOnly);
  if (frozen) return null;
  const { id, title = id } = parameter;
  const inside = isInside(node.id);
  const name = title ?? id;
  const own = isGiven ? t("Set {title} separately", { title: name }) : parameterLabel(name, inside);
  const around = t("Make {title} a pipeline parameter for this place only", { title: name });
  return (
    <>
      <BindingButton
        label={own}
        testId={`bind-${id}`}
        icon={isGiven ? Unlink : Variable}
        onClick={() => {
          editor.dispatch(
            (d, c) =>
              isGiven ? unbind(d, c, node.id, id) : makeParameter(d, node.id, parameter, value),
            { label: own },
          );
        }}
      />
      {inside && !isGiven && (
        <BindingButton
          label={around}
          testId={`bind-outside-${id}`}
          icon={PackageOpen}
          onClick={() =>
            editor.edit(makeParameter(editor.state.whole, node.id, parameter, value), around)
          }
        />
      )}
    </>
  );
}

interface BindingButtonProps {
  readonly label: string;
  readonly testId: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
}

function BindingButton({ label, testId, icon: Icon, onClick }: BindingButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="pd-tiny"
      aria-label={label}
      title={label}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}

/** Return the pipeline parameter that sets the value; undefined if the node sets its own. */
function useGivenBy(node: string, name: string): PipelineParameter | undefined {
  return givenBy(useEditorState(selectDocument), node, name);
}

/** Return the placeholders that a list of texts may contain. */
function useTemplates(node: PipelineNode, { items }: ParameterSpec): readonly string[] {
  const module = useEditorState(selectCatalog).byId.get(node.module);
  return useMemo(() => (items && module ? templatesOf(module) : []), [items, module]);
}

/** Return the problem of the value; in a sub-pipeline it is reported at the inner node. */
function useProblem(node: string, name: string): Problem | undefined {
  const document = useEditorState(selectDocument);
  const problems = useEditorState(selectProblemsOf(node));
  return problems.length > 0
    ? problemAt(problems, reachedBy(document, `${node}.${name}`))
    : undefined;
}

/** Return the problem of foreign code; undefined if it is approved. */
function useForeignCode(node: string, { id, code }: ParameterSpec): Problem | undefined {
  const problems = useEditorState(selectProblemsOf(node));
  if (!code) return undefined;
  return problems.find(
    (problem) => isForeignCode(problem) && problem.node === node && problem.parameter === id,
  );
}

const NO_FAULTS: readonly CodeFault[] = [];

/** Return the places in a program at which the last run or the server found errors. */
function useFaults(node: string, { id, code }: ParameterSpec): readonly CodeFault[] {
  const problems = useEditorState(selectProblemsOf(node));
  const step = useEditorState(selectStep(node));
  return useMemo(
    () => (code ? codeFaults([...problems, step?.problem], id) : NO_FAULTS),
    [code, problems, step?.problem, id],
  );
}

/** Focus the field after a click on its problem. */
function useWanted(parameter: string): React.RefObject<HTMLDivElement | null> {
  const view = useView();
  const wanted = useViewState(selectWantedParameter) === parameter;
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!wanted) return;
    view.setState({ wantedParameter: null });
    const control = field.current?.querySelector<HTMLElement>(
      "input, select, textarea, .cm-content",
    );
    control?.scrollIntoView({ block: "center" });
    control?.focus();
  }, [wanted, view]);
  return field;
}

/** Length of a choice that is still shown whole next to the label and the buttons of a field. */
const LONGEST_BESIDE = 9;

/** Return true for long texts and choices, which use the whole width. */
function isWide(parameter: ParameterSpec): boolean {
  if (parameter.choices?.some((choice) => String(choice).length > LONGEST_BESIDE)) return true;
  const free = parameter.type === "string" && !parameter.choices;
  return free || parameter.type === "array" || parameter.type === "object";
}
