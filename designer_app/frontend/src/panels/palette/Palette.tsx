/** Module palette: by category, searchable, dragged or added with the keyboard. */

import { ChevronDown, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { type ReactElement, Suspense, lazy, useCallback, useMemo, useRef, useState } from "react";

import { announceDataset } from "../../api/datasetEvents";
import { isComposing } from "../../browser/composing";
import { type Category, categories } from "../../graph/catalog";
import { searchModules } from "../../graph/search";
import type { ModuleSpec } from "../../graph/types";
import { IconButton } from "../../ui/buttons";
import { PaneResizer } from "../../ui/PaneResizer";
import { useEditor, useEditorState, useRoot, useView } from "../../view/context";
import { PHONE } from "../../view/responsivePanes";
import { addAtCentre } from "../../commands/addNode";
import { speak, type Placeable } from "../../view/viewStore";
import { selectCatalog, selectPane } from "../../store/selectors";
import { lazyPanels } from "../panels";
import { RegisteredItems, useRegisteredItems } from "./RegisteredItems";
import { PaletteItem } from "./PaletteItem";
import { t } from "../../graph/translate";

const ModuleCard = lazy(async () => ({ default: (await lazyPanels()).ModuleCard }));
const ModuleFailures = lazy(async () => ({ default: (await lazyPanels()).ModuleFailures }));

interface Hovered {
  readonly module: ModuleSpec;
  readonly x: number;
  readonly y: number;
}

/** Milliseconds of rest, after a movement of the pointer. */
const REST_BEFORE_CARD = 400;
/** Milliseconds in which the pointer can move from the module onto its card. */
const LINGER = 180;

export function Palette(): ReactElement {
  const editor = useEditor();
  const folded = !useEditorState(selectPane("palette"));
  const view = useView();
  const root = useRoot();
  const catalog = useEditorState(selectCatalog);
  const [query, setQuery] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { hovered, onHover, onStay } = useHoverCard();
  const onAdd = useCallback(
    (item: Placeable) => {
      addAtCentre(editor, item);
      speak(view, t("{title} was added.", { title: item.title }));
      // on a phone the sheet would cover the added node
      if (root.clientWidth < PHONE) editor.togglePane("palette", false);
    },
    [editor, root, view],
  );
  const shown = useMemo<readonly Category[]>(() => {
    if (!query.trim()) return categories(catalog);
    const modules = searchModules(catalog, query);
    return modules.length > 0 ? [{ name: t("Results"), modules }] : [];
  }, [catalog, query]);
  const kept = useRegisteredItems(query);
  const isNothing = shown.length === 0 && kept.every((items) => items.length === 0);
  const toggle = (name: string): void =>
    setClosed((before) => {
      const after = new Set(before);
      if (!after.delete(name)) after.add(name);
      return after;
    });
  return (
    <nav
      className="pd-palette"
      aria-label={t("Modules")}
      data-region
      data-folded={folded}
      onPointerEnter={announceDataset} // the editor receives no event for new models
    >
      {!folded && <PaneResizer pane="palette" label={t("Modules")} />}
      <div className="pd-palette-head">
        {!folded && <PaletteSearch query={query} onQuery={setQuery} />}
        <IconButton
          icon={folded ? PanelLeftOpen : PanelLeftClose}
          label={folded ? t("Expand palette") : t("Collapse palette")}
          aria-expanded={!folded}
          onClick={() => editor.togglePane("palette")}
        />
      </div>
      <div className="pd-palette-list pd-scroll">
        {catalog.spec.failures.length > 0 && (
          <Suspense>
            <ModuleFailures failures={catalog.spec.failures} />
          </Suspense>
        )}
        {shown.map((category) => (
          <section key={category.name} aria-label={category.name}>
            <button
              type="button"
              className="pd-category"
              aria-expanded={!closed.has(category.name)}
              onClick={() => toggle(category.name)}
            >
              <ChevronDown size={12} aria-hidden />
              <span>{shortName(category.name)}</span>
            </button>
            {!closed.has(category.name) &&
              category.modules.map((module) => (
                <PaletteItem
                  key={module.id}
                  module={module}
                  catalog={catalog}
                  item={placeableOf(module)}
                  testId={`palette-${module.id}`}
                  onAdd={onAdd}
                  onHover={onHover}
                />
              ))}
          </section>
        ))}
        <RegisteredItems catalog={catalog} matches={kept} onAdd={onAdd} onHover={onHover} />
        {isNothing && (
          <p className="pd-empty">{t("No modules found. Try “train”, “split” or “score”.")}</p>
        )}
      </div>
      <Suspense>
        {hovered && (
          <ModuleCard
            {...hovered}
            catalog={catalog}
            onEnter={onStay}
            onLeave={() => onHover(null, null)}
          />
        )}
      </Suspense>
    </nav>
  );
}

interface SearchProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

function PaletteSearch({ query, onQuery }: SearchProps): ReactElement {
  return (
    <div className="pd-search" role="search">
      <Search size={15} aria-hidden />
      <input
        className="pd-input"
        type="text"
        aria-label={t("Search modules")}
        placeholder={t("Search modules")}
        data-testid="palette-search"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || query === "" || isComposing(event.nativeEvent)) return;
          event.stopPropagation();
          onQuery("");
        }}
      />
      <kbd className="pd-wide-only" aria-hidden>
        {t("Tab")}
      </kbd>
    </div>
  );
}

interface HoverCard {
  readonly hovered: Hovered | null;
  readonly onHover: (module: ModuleSpec | null, element: HTMLElement | null) => void;
  /** Keep the open card. */
  readonly onStay: () => void;
}

function useHoverCard(): HoverCard {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onHover = useCallback((module: ModuleSpec | null, element: HTMLElement | null) => {
    clearTimeout(timer.current);
    if (!module || !element) {
      timer.current = setTimeout(() => setHovered(null), LINGER);
      return;
    }
    timer.current = setTimeout(() => {
      const box = element.getBoundingClientRect();
      setHovered({ module, x: box.right + 10, y: box.top - 4 });
    }, REST_BEFORE_CARD);
  }, []);
  const onStay = useCallback(() => clearTimeout(timer.current), []);
  return { hovered, onHover, onStay };
}

const placeables = new WeakMap<ModuleSpec, Placeable>();

function placeableOf(module: ModuleSpec): Placeable {
  const known = placeables.get(module) ?? {
    module: module.id,
    title: module.title,
    parameters: {},
  };
  placeables.set(module, known);
  return known;
}

/** "Computer Vision/Image Classification" is shown as "Image Classification". */
function shortName(category: string): string {
  return category.split("/").at(-1) ?? category;
}
