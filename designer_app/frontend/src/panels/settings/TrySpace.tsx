/** Values of a parameter to try in a sweep: choices or a range, as text. */

import { FlaskConical, FlaskConicalOff } from "lucide-react";
import { type ReactElement, useEffect, useId, useRef, useState } from "react";

import { isInside } from "../../graph/paths";
import { parseSpace, spaceText } from "../../graph/spaces";
import { firstSpace, spaceOf, withSpace } from "../../graph/sweep";
import { t } from "../../graph/translate";
import type { JsonValue, ParameterSpec, PipelineNode } from "../../graph/types";
import { selectIsReadOnly, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";

interface Props {
  readonly parameter: ParameterSpec;
  readonly node: PipelineNode;
  readonly title: string;
}

interface ButtonProps extends Props {
  readonly value: JsonValue;
  /** True if the node varies the parameter itself; then a sweep can only stop that. */
  readonly isTried: boolean;
}

/** Button that varies the parameter in a sweep, or stops that. */
export function TryButton(props: ButtonProps): ReactElement | null {
  const { parameter, node, title, value, isTried } = props;
  const editor = useEditor();
  const place = `${node.id}.${parameter.id}`;
  const space = useEditorState((state) => spaceOf(selectWhole(state), place));
  const frozen = useEditorState(selectIsReadOnly);
  if (frozen || isInside(node.id) || parameter.code || parameter.type === "object") return null;
  if (isTried && !space) return null;
  const label = space
    ? t("Do not vary {title}", { title })
    : t("Try several values of {title}", { title });
  const Icon = space ? FlaskConicalOff : FlaskConical;
  const toggle = (): void => {
    const next = space ? null : firstSpace(parameter, value);
    editor.edit(withSpace(editor.state.whole, place, next), label);
  };
  return (
    <button
      type="button"
      className="pd-tiny"
      aria-label={label}
      title={label}
      data-testid={`try-${parameter.id}`}
      onClick={toggle}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}

/** Field with the values to try; nothing if the parameter is not varied. */
export function TryField({ parameter, node, title }: Props): ReactElement | null {
  const editor = useEditor();
  const place = `${node.id}.${parameter.id}`;
  const space = useEditorState((state) => spaceOf(selectWhole(state), place));
  const frozen = useEditorState(selectIsReadOnly);
  const [typed, setTyped] = useState<string | null>(null);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isVaried = space !== undefined;
  useEffect(() => {
    const root = field.current?.getRootNode() as Document | ShadowRoot | undefined;
    const pressed = root?.activeElement?.getAttribute("data-testid");
    if (!isVaried || pressed !== `try-${parameter.id}`) return;
    field.current?.focus();
    field.current?.select();
  }, [isVaried, parameter.id]);
  if (!space) return null;
  const text = typed ?? spaceText(space);
  const isWrong = typed !== null && parseSpace(typed, parameter) === undefined;
  const change = (next: string): void => {
    setTyped(next);
    const parsed = parseSpace(next, parameter);
    if (!parsed) return;
    const label = t("Set values to try of {title}", { title });
    editor.edit(withSpace(editor.state.whole, place, parsed), label, `try.${place}`);
  };
  return (
    <div className="pd-try-values">
      <label htmlFor={id}>{t("Try")}</label>
      <input
        ref={field}
        id={id}
        className="pd-input"
        value={text}
        readOnly={frozen}
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={`${id}-help`}
        data-testid={`try-values-${parameter.id}`}
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (!isWrong) setTyped(null);
          editor.endTyping();
        }}
      />
      <p id={`${id}-help`} className={isWrong ? "pd-error-text" : "pd-field-help"}>
        {parameter.type === "string"
          ? t("Values, separated by commas. Run > Sweep tries them.")
          : t("Values 4, 8, 16 or a range 0.1..0.9, 1e-3..1e-1:log, 1..9:int.")}
      </p>
    </div>
  );
}
