/** Registered datasets and models, ready to be dragged. */

import { type ReactElement, useEffect, useMemo, useState } from "react";

import type { Api } from "../../api/client";
import { watchDatasets } from "../../api/datasetEvents";
import { listDatasets } from "../../api/datasets";
import type { Catalog } from "../../graph/catalog";
import { searchTitles } from "../../graph/search";
import type { ModuleSpec } from "../../graph/types";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditor } from "../../view/context";
import type { Placeable } from "../../view/viewStore";
import { PaletteItem } from "./PaletteItem";
import { t } from "../../graph/translate";

interface Props {
  readonly catalog: Catalog;
  readonly matches: Matches;
  readonly onAdd: (item: Placeable) => void;
  readonly onHover: (module: ModuleSpec | null, element: HTMLElement | null) => void;
}

interface Section {
  readonly title: string;
  /** Name in test ids. */
  readonly word: string;
  readonly load: (api: Api) => Promise<readonly Placeable[]>;
}

const SECTIONS: readonly Section[] = [
  {
    title: t("Datasets"),
    word: "dataset",
    load: async (api) =>
      (await listDatasets(api)).map(({ name, source }) => ({
        module: "import_images",
        title: name,
        parameters: { source },
      })),
  },
  {
    title: t("Models"),
    word: "model",
    load: async (api) =>
      (await importWithRetry(() => import("./modelsToPlace"))).modelsToPlace(api),
  },
];

/** Items that match the search, a list for each section. */
export type Matches = readonly (readonly Placeable[])[];

export function RegisteredItems({ catalog, matches, onAdd, onHover }: Props): ReactElement {
  return (
    <>
      {SECTIONS.map(({ title, word }, place) => {
        const items = (matches[place] ?? []).flatMap((item) => {
          const module = catalog.byId.get(item.module);
          return module ? [{ item, module }] : [];
        });
        if (items.length === 0) return null;
        return (
          <section key={word} aria-label={title}>
            <p className="pd-category">
              <span>{title}</span>
            </p>
            {items.map(({ item, module }) => (
              <PaletteItem
                key={item.title}
                module={module}
                catalog={catalog}
                item={item}
                testId={`palette-${word}-${item.title}`}
                onAdd={onAdd}
                onHover={onHover}
              />
            ))}
          </section>
        );
      })}
    </>
  );
}

export function useRegisteredItems(query: string): Matches {
  const editor = useEditor();
  const [kept, setKept] = useState<Matches>([]);
  useEffect(() => {
    let over = false;
    const loadItems = (): void => {
      const loading = SECTIONS.map(({ load }) => load(editor.api).catch(() => []));
      void Promise.all(loading).then((loaded) => !over && setKept(loaded));
    };
    loadItems();
    const stop = watchDatasets(loadItems);
    return () => {
      over = true;
      stop();
    };
  }, [editor]);
  return useMemo(() => kept.map((items) => searchTitles(items, query)), [kept, query]);
}
