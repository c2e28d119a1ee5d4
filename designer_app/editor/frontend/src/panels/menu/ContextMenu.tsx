/** What can be done here: the menu of the canvas, a node, a wire, or the bar. */

import { type KeyboardEvent, type ReactElement, useEffect, useRef } from "react";

import { commandOf, isEnabled, perform } from "../../commands/registry";
import { keysOf } from "../../commands/keyboard";
import { useEditor, useRoot, useView, useViewState } from "../../view/context";
import { useFloating } from "../../ui/useFloating";
import { type Menu, selectMenu } from "../../view/viewStore";
import { ITEMS, type MenuItem } from "./items";

export function ContextMenu(): ReactElement | null {
  const menu = useViewState(selectMenu);
  return menu && <MenuList key={`${menu.on}.${menu.x}.${menu.y}`} menu={menu} />;
}

function MenuList({ menu }: { readonly menu: Menu }): ReactElement {
  const view = useView();
  const root = useRoot();
  const editor = useEditor();
  const ref = useRef<HTMLDivElement>(null);
  const style = useFloating(ref, menu.x, menu.y);
  const close = (): void => {
    view.setState({ menu: null });
    editor.canvas?.focus();
  };
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
    const look = (event: PointerEvent): void => {
      if (!event.composedPath().includes(ref.current as EventTarget)) view.setState({ menu: null });
    };
    root.addEventListener("pointerdown", look, true);
    return () => root.removeEventListener("pointerdown", look, true);
  }, [root, view]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const items = [...(ref.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const at = items.findIndex((item) => item === event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={ref}
      className="pd-menu"
      role="menu"
      aria-label="What can be done here"
      data-testid="menu"
      style={style}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {ITEMS[menu.on].map((item, place) =>
        item === "-" ? <hr key={place} /> : <Item key={item} item={item} onDone={close} />,
      )}
    </div>
  );
}

function Item({
  item,
  onDone,
}: {
  readonly item: MenuItem;
  readonly onDone: () => void;
}): ReactElement {
  const editor = useEditor();
  const command = commandOf(item);
  const keys = keysOf(command);
  const choose = (): void => {
    onDone();
    perform(editor, item);
  };
  return (
    <button
      type="button"
      role="menuitem"
      className="pd-menu-item"
      data-testid={`menu-${item}`}
      tabIndex={-1}
      disabled={!isEnabled(editor, item)}
      onPointerEnter={(event) => event.currentTarget.focus()}
      onClick={choose}
    >
      <span>{command.label}</span>
      {keys && <kbd>{keys}</kbd>}
    </button>
  );
}
