/** Updates when the user returns to the editor's page; renders nothing. */

import { type ReactElement, useEffect } from "react";

import { useEditor } from "../view/context";

/** Load edits of other browsers when the user returns to this one. */
export function CatchUp(): ReactElement {
  const editor = useEditor();
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) void editor.catchUp();
    };
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [editor]);
  return <></>;
}
