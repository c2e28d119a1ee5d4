/** Updates when the user returns to the editor's page; renders nothing. */

import { type ReactElement, useEffect } from "react";

import { useEditor } from "../view/context";

/** Load edits of other browsers when the user returns to this one. */
export function CatchUp(): ReactElement {
  const editor = useEditor();
  useEffect(() => {
    const catchUp = (): void => {
      if (!document.hidden) void editor.catchUp();
    };
    window.addEventListener("focus", catchUp);
    document.addEventListener("visibilitychange", catchUp);
    return () => {
      window.removeEventListener("focus", catchUp);
      document.removeEventListener("visibilitychange", catchUp);
    };
  }, [editor]);
  return <></>;
}
