/** Buttons: with text, with an icon, and for commands. */

import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef, ReactElement, ReactNode } from "react";
import { useStore } from "zustand";

import { keyBindings } from "../commands/keyBindings";
import { commandOf, perform, selectEnabled } from "../commands/registry";
import { keysOf } from "../commands/keyboard";
import { useEditor, useEditorState } from "../view/context";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly kind?: "primary" | "plain" | "danger" | undefined;
  readonly small?: boolean;
}

export function Button({ kind, small, children, ...rest }: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="pd-button"
      data-kind={kind}
      data-size={small ? "small" : undefined}
      {...rest}
    >
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentPropsWithRef<"button"> {
  readonly icon: LucideIcon;
  /** Label in tooltip and screen reader. */
  readonly label: string;
  readonly keys?: string | undefined;
}

export function IconButton({ icon: Icon, label, keys, ...rest }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="pd-icon-button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      {...rest}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
}

interface CommandButtonProps extends Omit<ComponentPropsWithRef<"button">, "children"> {
  readonly command: string;
  readonly icon?: LucideIcon;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly children?: ReactNode;
}

/** Button that performs a command: icon only, or with the given text. */
export function CommandButton(props: CommandButtonProps): ReactElement {
  const { command: id, icon, args, children, ...rest } = props;
  const editor = useEditor();
  const enabled = useEditorState(selectEnabled(id));
  const command = commandOf(id);
  const { label } = command;
  useStore(keyBindings);
  const keys = keysOf(command);
  const shared = { disabled: !enabled, onClick: () => perform(editor, id, args), ...rest };
  if (icon && children === undefined) {
    return <IconButton icon={icon} label={label} keys={keys} {...shared} />;
  }
  return (
    <Button title={keys ? `${label} (${keys})` : label} {...shared}>
      {children ?? label}
    </Button>
  );
}
