/** What every component can reach: the open editor, the root it is drawn in, the state of the view. */

import { createContext, useContext } from "react";
import { useStore } from "zustand";

import type { Editor } from "../store/editor";
import type { EditorState } from "../store/types";
import type { View, ViewState } from "./viewStore";

interface Surroundings {
  readonly editor: Editor;
  /** The element that everything is drawn in, also menus and dialogs: the page's styles end here. */
  readonly root: HTMLElement;
  readonly view: View;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (!surroundings) throw new Error("Render this inside <SurroundingsContext value=...>.");
  return surroundings;
}

export function useEditor(): Editor {
  return useSurroundings().editor;
}

export function useRoot(): HTMLElement {
  return useSurroundings().root;
}

export function useView(): View {
  return useSurroundings().view;
}

/** What a selector of the store gives; draws again only when that changes. */
export function useEditorState<Value>(selector: (state: EditorState) => Value): Value {
  return useStore(useSurroundings().editor.store, selector);
}

/** What a selector of the view gives. */
export function useViewState<Value>(selector: (state: ViewState) => Value): Value {
  return useStore(useSurroundings().view, selector);
}
