/** Explanation of a refused wire: a card where it would end, and speech for screen readers. */

import { mayLink, refusalOf } from "../graph/connections";
import type { Endpoint, Position } from "../graph/types";
import { speak, type View } from "../view/viewStore";
import type { Editor } from "../store/editor";

/** Show why a link is refused; nothing if it is allowed. `point` is in pixels of the window. */
export function refuse(
  editor: Editor,
  view: View,
  [from, to]: readonly [Endpoint, Endpoint],
  point: Position,
): void {
  const { document, catalog } = editor.store.getState();
  const verdict = mayLink(document, catalog, from, to);
  if (verdict.allowed) return;
  const [message, { bridge }] = [refusalOf(verdict), verdict];
  view.setState({ refusal: { message, bridge, from, to, x: point.x, y: point.y } });
  speak(view, message);
}
