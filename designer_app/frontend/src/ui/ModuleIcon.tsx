/** Icon of a module, in the color of its output. */

import {
  Box,
  Brain,
  BrainCircuit,
  Combine,
  Dumbbell,
  FolderCheck,
  Gauge,
  ImageDown,
  type LucideIcon,
  Package,
  SlidersHorizontal,
  Split,
  Target,
  WandSparkles,
} from "lucide-react";
import { lazy, memo, type ReactElement, Suspense } from "react";

import type { Catalog } from "../graph/catalog";
import { moduleColour } from "../graph/catalog";
import type { ModuleSpec } from "../graph/types";
import { importWithRetry } from "./importWithRetry";

/** Icons of the built-in modules; other icons are loaded later, and an unknown one is a box. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  brain: Brain,
  "brain-circuit": BrainCircuit,
  combine: Combine,
  dumbbell: Dumbbell,
  "folder-check": FolderCheck,
  gauge: Gauge,
  "image-down": ImageDown,
  package: Package,
  "sliders-horizontal": SlidersHorizontal,
  split: Split,
  target: Target,
  "wand-sparkles": WandSparkles,
  box: Box,
};

const LaterIcon = lazy(async () => {
  const { MORE_ICONS } = await importWithRetry(() => import("./moreModuleIcons"));
  return { default: ({ name }: { readonly name: string }) => draw(MORE_ICONS[name] ?? Box) };
});

interface Props {
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
}

export const ModuleIcon = memo(function ModuleIcon({ module, catalog }: Props): ReactElement {
  const name = module?.icon ?? "box";
  const known = ICONS[name];
  return (
    <span
      className="pd-icon"
      data-type={module ? moduleColour(catalog, module) : "grey"}
      aria-hidden
    >
      {known ? (
        draw(known)
      ) : (
        <Suspense fallback={draw(Box)}>
          <LaterIcon name={name} />
        </Suspense>
      )}
    </span>
  );
});

function draw(Icon: LucideIcon): ReactElement {
  return <Icon size={13} strokeWidth={2.2} />;
}
