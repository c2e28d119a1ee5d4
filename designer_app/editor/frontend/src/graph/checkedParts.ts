/** Parts that an edit made, with their bounds checked; each throws `EditRefused`. */

import { PartReader } from "./partReader";
import { localName } from "./paths";
import { EditRefused } from "./problems";
import type { Group, Note, PipelineNode, Settings } from "./types";

/** Its id may be a path. */
export function checkedNode(node: PipelineNode): PipelineNode {
  const { id } = node;
  const found = checked((reader) => reader.node({ ...node, id: localName(id) }, ""));
  return found.id === id ? found : { ...found, id };
}

export function checkedNote(note: Note): Note {
  return checked((reader) => reader.note(note, ""));
}

export function checkedGroup(group: Group): Group {
  const local = { ...group, nodes: group.nodes.map(localName) };
  return { ...checked((reader) => reader.group(local, "")), nodes: group.nodes };
}

export function checkedSettings(settings: Settings): Settings {
  return checked((reader) => reader.settings(settings, ""));
}

function checked<Part>(read: (reader: PartReader) => Part): Part {
  const reader = new PartReader();
  const part = read(reader);
  if (reader.problems.length) throw new EditRefused(reader.problems);
  return part;
}
