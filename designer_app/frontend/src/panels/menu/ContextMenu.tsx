/** Context menu of the canvas, a node, a wire, or the toolbar. */

import { type KeyboardEvent, type ReactElement, useEffect, useRef } from "react";

import { commandOf, isEnabled, perform } from "../../commands/registry";
import { keysOf } from "../../commands/keyboard";
import { useEditor, useRoot, useView, useViewState } from "../../view/context";
import { useFloating } from "../../ui/useFloating";
import { type Menu, selectMenu } from "../../view/viewStore";
import { ITEMS, type MenuItem } from "./items";
import { t } from "../../graph/translate";

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

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
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    opener.current = (root.getRootNode() as Document | ShadowRoot).activeElement;
    ref.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
    const closeIfOutside = (event: PointerEvent): void => {
      if (!event.composedPath().includes(ref.current as EventTarget)) view.setState({ menu: null });
    };
    root.addEventListener("pointerdown", closeIfOutside, true);
    return () => root.removeEventListener("pointerdown", closeIfOutside, true);
  }, [root, view]);
  // nothing was selected: return to the button of the menu
  const leave = (): void => {
    close();
    if (menu.on === "more" && opener.current instanceof HTMLElement) opener.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const items = [...(ref.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const at = items.findIndex((item) => item === event.target);
    const step = { ...STEPS, Home: -at, End: items.length - 1 - at }[event.key];
    if (event.key === "Escape" || event.key === "Tab") leave();
    else if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={ref}
      className="pd-menu"
      role="menu"
      aria-label={t("Context menu")}
      data-testid="menu"
      style={style}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {ITEMS[menu.on].map((item, place) => (
        <Entry key={place} item={item} onDone={close} />
      ))}
    </div>
  );
}

interface EntryProps<Item> {
  readonly item: Item;
  readonly onDone: () => void;
}

function Entry({ item, onDone }: EntryProps<MenuItem>): ReactElement {
  if (item === "-") return <hr />;
  if (typeof item === "string") return <Item item={item} onDone={onDone} />;
  return (
    <div className="pd-menu-swatches" role="group" aria-label={t("Color")}>
      {item.map((colour) => (
        <Item key={colour} item={colour} onDone={onDone} swatch={colour.replace("colour-", "")} />
      ))}
    </div>
  );
}

function Item({
  item,
  onDone,
  swatch,
}: EntryProps<string> & { readonly swatch?: string }): ReactElement {
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
      className={swatch ? "pd-menu-swatch" : "pd-menu-item"}
      data-type={swatch}
      title={swatch && command.label}
      aria-label={swatch && command.label}
      data-testid={`menu-${item}`}
      tabIndex={-1}
      disabled={!isEnabled(editor, item)}
      onPointerEnter={(event) => event.currentTarget.focus()}
      onClick={choose}
    >
      {!swatch && <span>{command.labelFor?.(editor.state) ?? command.label}</span>}
      {keys && <kbd>{keys}</kbd>}
    </button>
  );
}
