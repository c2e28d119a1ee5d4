/** Description, inputs and outputs of a module, next to the palette while the pointer rests on
 * it. */

import { BookOpen } from "lucide-react";
import { type ReactElement, useRef } from "react";

import { type Catalog, colourOf } from "../../graph/catalog";
import type { ModuleSpec, PortSpec } from "../../graph/types";
import { useEditor } from "../../view/context";
import { useFloating } from "../../ui/useFloating";
import { t } from "../../graph/translate";

interface Props {
  readonly module: ModuleSpec;
  readonly catalog: Catalog;
  /** Pixels of the window. */
  readonly x: number;
  readonly y: number;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
}

const MOST_PARAMETERS = 8;

export function ModuleCard(props: Props): ReactElement {
  const { module, catalog, x, y, onEnter, onLeave } = props;
  const editor = useEditor();
  const ref = useRef<HTMLDivElement>(null);
  const style = useFloating(ref, x, y);
  const names = module.parameters.map((parameter) => parameter.title ?? parameter.id);
  const shown = names.slice(0, MOST_PARAMETERS).join(", ");
  const rest =
    names.length > MOST_PARAMETERS
      ? t(" and {count} more", { count: names.length - MOST_PARAMETERS })
      : "";
  return (
    <div
      className="pd-card"
      role="group"
      aria-label={t("About {title}", { title: module.title })}
      ref={ref}
      style={style}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <h3>{module.title}</h3>
      <p>{module.summary}</p>
      {module.description !== module.summary && (
        <p className="pd-card-text">{module.description}</p>
      )}
      <Ports title={t("Inputs")} ports={module.inputs} catalog={catalog} />
      <Ports title={t("Outputs")} ports={module.outputs} catalog={catalog} />
      {names.length > 0 && (
        <>
          <h4>{t("Parameters")}</h4>
          <p className="pd-dim">
            {shown}
            {rest}
          </p>
        </>
      )}
      <button
        type="button"
        className="pd-link pd-card-link"
        tabIndex={-1} // the card closes with the focus of its module, where F1 does the same
        data-testid="card-documentation"
        onClick={() => {
          onLeave();
          editor.openDialog({ kind: "documentation", module: module.id });
        }}
      >
        <BookOpen size={13} aria-hidden /> {t("Documentation")}
      </button>
    </div>
  );
}

interface PortsProps {
  readonly title: string;
  readonly ports: readonly PortSpec[];
  readonly catalog: Catalog;
}

function Ports({ title, ports, catalog }: PortsProps): ReactElement | null {
  if (ports.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {ports.map((port) => (
          <li key={port.id}>
            <span className="pd-dot" data-type={colourOf(catalog, port.type)} />
            <span>
              {port.title}
              <span className="pd-dim">{port.optional ? " (optional)" : ""}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
