/** Contexts of every component: the open editor, its root, and the state of the view. */

import { createContext, useContext } from "react";
import { useStore } from "zustand";

import type { Editor } from "../store/editor";
import type { EditorState } from "../store/types";
import type { View, ViewState } from "./viewStore";

interface Surroundings {
  readonly editor: Editor;
  /** Element that contains everything, also menus and dialogs: styles of the page end here. */
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

/** Return the value of a selector of the store; renders again only when it changes. */
export function useEditorState<Value>(selector: (state: EditorState) => Value): Value {
  return useStore(useSurroundings().editor.store, selector);
}

/** Return the value of a selector of the view. */
export function useViewState<Value>(selector: (state: ViewState) => Value): Value {
  return useStore(useSurroundings().view, selector);
}
