/** Style of a node seen from far away, for a canvas; read from `.pd-node-far`, the only
 * definition. */

import type { NodeAppearance } from "./nodeAppearance";

/** Colours as CSS has them; sizes in pixels of the document. */
export interface CompactNodeStyle {
  readonly fill: string;
  readonly edge: string;
  readonly band: string;
  readonly bandWidth: number;
  readonly radius: number;
  readonly text: string;
  readonly font: string;
  readonly leading: number;
  /** Distance from the band to the title. */
  readonly indent: number;
}

type Kind = Pick<NodeAppearance, "type" | "status" | "selected" | "collapsed">;

export class CompactNodeStyles {
  private readonly known = new Map<string, CompactNodeStyle>();

  constructor(private readonly root: HTMLElement) {}

  of(kind: Kind): CompactNodeStyle {
    const key = `${kind.type} ${kind.status} ${kind.selected} ${kind.collapsed}`;
    const style = this.known.get(key) ?? this.read(kind);
    this.known.set(key, style);
    return style;
  }

  /** A node of that kind is added to the page for a moment, invisibly. */
  private read({ type, status, selected, collapsed }: Kind): CompactNodeStyle {
    const frame = document.createElement("div");
    frame.className = selected ? "react-flow__node selected" : "react-flow__node";
    frame.style.display = "none";
    const node = document.createElement("div");
    node.className = "pd-node-far";
    node.dataset["type"] = type;
    if (collapsed) node.dataset["collapsed"] = "true";
    if (status === "fault") node.dataset["problem"] = "error";
    else if (status) node.dataset["status"] = status;
    frame.append(node);
    this.root.append(frame);
    const style = read(getComputedStyle(node));
    frame.remove();
    return style;
  }
}

function read(style: CSSStyleDeclaration): CompactNodeStyle {
  return {
    fill: style.backgroundColor,
    edge: style.borderTopColor,
    band: style.borderLeftColor,
    bandWidth: parseFloat(style.borderLeftWidth),
    radius: parseFloat(style.borderTopLeftRadius),
    text: style.color,
    font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`,
    leading: Math.round(parseFloat(style.lineHeight)),
    indent: parseFloat(style.paddingLeft),
  };
}
