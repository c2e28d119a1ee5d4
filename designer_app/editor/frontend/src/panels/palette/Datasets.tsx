/** The registered datasets, ready to be dragged: each becomes an Import Images node. */

import { type ReactElement, useEffect, useState } from "react";

import type { DatasetEntry } from "../../bridge/api";
import { watchDatasets } from "../../bridge/arrivals";
import type { Catalog } from "../../graph/catalog";
import type { ModuleSpec } from "../../graph/types";
import { useEditor } from "../../parts/context";
import type { Placeable } from "../../parts/view";
import { PaletteItem } from "./PaletteItem";

interface Props {
  readonly catalog: Catalog;
  readonly query: string;
  readonly onAdd: (item: Placeable) => void;
  readonly onHover: (module: ModuleSpec | null, element: HTMLElement | null) => void;
}

export function Datasets({ catalog, query, onAdd, onHover }: Props): ReactElement | null {
  const datasets = useDatasets();
  const module = catalog.byId.get("import_images");
  const wanted = query.trim().toLowerCase();
  const shown = datasets.filter((each) => each.name.toLowerCase().includes(wanted));
  if (!module || shown.length === 0) return null;
  return (
    <section aria-label="Datasets">
      <p className="pd-category">Datasets</p>
      {shown.map(({ name, source }) => (
        <PaletteItem
          key={name}
          module={module}
          catalog={catalog}
          item={{ module: module.id, title: name, parameters: { source } }}
          testId={`palette-dataset-${name}`}
          onAdd={onAdd}
          onHover={onHover}
        />
      ))}
    </section>
  );
}

function useDatasets(): readonly DatasetEntry[] {
  const editor = useEditor();
  const [datasets, setDatasets] = useState<readonly DatasetEntry[]>([]);
  useEffect(() => {
    let over = false;
    const look = (): void => {
      void editor.api
        .datasets()
        .then((found) => !over && setDatasets(found))
        .catch(() => undefined);
    };
    look();
    const stop = watchDatasets(look);
    return () => {
      over = true;
      stop();
    };
  }, [editor]);
  return datasets;
}
