/** The icon of a module, on the colour of what it makes. */

import {
  Binary,
  Blend,
  Box,
  Brain,
  BrainCircuit,
  ChartBar,
  ChartLine,
  ChartScatter,
  CircleCheck,
  Combine,
  Crop,
  Database,
  Download,
  Dumbbell,
  Eye,
  FileImage,
  FileInput,
  FileOutput,
  Files,
  Filter,
  Folder,
  FolderCheck,
  FolderOpen,
  Gauge,
  GitMerge,
  Grid3x3,
  Image,
  ImageDown,
  Images,
  Layers,
  ListChecks,
  type LucideIcon,
  Network,
  Package,
  Palette,
  Ruler,
  Save,
  Scale,
  ScanSearch,
  Shuffle,
  Sigma,
  SlidersHorizontal,
  Sparkles,
  Split,
  Table,
  Tag,
  Target,
  Timer,
  Upload,
  WandSparkles,
  Workflow,
  Wrench,
} from "lucide-react";
import { memo, type ReactElement } from "react";

import type { Catalog } from "../graph/catalog";
import { moduleColour } from "../graph/catalog";
import type { ModuleSpec } from "../graph/types";

/** By the names modules use; a module may name any of these, others get a box. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  binary: Binary,
  blend: Blend,
  box: Box,
  brain: Brain,
  "brain-circuit": BrainCircuit,
  "chart-bar": ChartBar,
  "chart-line": ChartLine,
  "chart-scatter": ChartScatter,
  "circle-check": CircleCheck,
  combine: Combine,
  crop: Crop,
  database: Database,
  download: Download,
  dumbbell: Dumbbell,
  eye: Eye,
  "file-image": FileImage,
  "file-input": FileInput,
  "file-output": FileOutput,
  files: Files,
  filter: Filter,
  folder: Folder,
  "folder-check": FolderCheck,
  "folder-open": FolderOpen,
  gauge: Gauge,
  "git-merge": GitMerge,
  "grid-3x3": Grid3x3,
  image: Image,
  "image-down": ImageDown,
  images: Images,
  layers: Layers,
  "list-checks": ListChecks,
  network: Network,
  package: Package,
  palette: Palette,
  ruler: Ruler,
  save: Save,
  scale: Scale,
  "scan-search": ScanSearch,
  shuffle: Shuffle,
  sigma: Sigma,
  "sliders-horizontal": SlidersHorizontal,
  sparkles: Sparkles,
  split: Split,
  table: Table,
  tag: Tag,
  target: Target,
  timer: Timer,
  upload: Upload,
  "wand-sparkles": WandSparkles,
  workflow: Workflow,
  wrench: Wrench,
};

interface Props {
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
}

export const ModuleIcon = memo(function ModuleIcon({ module, catalog }: Props): ReactElement {
  const Icon = ICONS[module?.icon ?? ""] ?? Box;
  return (
    <span
      className="pd-icon"
      data-type={module ? moduleColour(catalog, module) : "grey"}
      aria-hidden
    >
      <Icon size={13} strokeWidth={2.2} />
    </span>
  );
});
