/** Markdown as React elements: user text is never HTML. */

import { memo, type ReactElement } from "react";

import { type Block, type Inline, parseMarkdown } from "../graph/markdown";

export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactElement {
  return (
    <div className="pd-markdown">
      {parseMarkdown(text).map((block, place) => (
        <BlockView key={place} block={block} />
      ))}
    </div>
  );
});

function BlockView({ block }: { readonly block: Block }): ReactElement {
  switch (block.kind) {
    case "heading":
      return block.level === 1 ? (
        <h3>
          <Inlines inlines={block.inlines} />
        </h3>
      ) : (
        <h4>
          <Inlines inlines={block.inlines} />
        </h4>
      );
    case "code":
      return <pre>{block.text}</pre>;
    case "list": {
      const items = block.items.map((inlines, place) => (
        <li key={place}>
          <Inlines inlines={inlines} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "paragraph":
      return (
        <p>
          <Inlines inlines={block.inlines} />
        </p>
      );
  }
}

function Inlines({ inlines }: { readonly inlines: readonly Inline[] }): ReactElement {
  return (
    <>
      {inlines.map((inline, place) => (
        <InlineView key={place} inline={inline} />
      ))}
    </>
  );
}

function InlineView({ inline }: { readonly inline: Inline }): ReactElement {
  switch (inline.kind) {
    case "bold":
      return <strong>{inline.text}</strong>;
    case "italic":
      return <em>{inline.text}</em>;
    case "code":
      return <code>{inline.text}</code>;
    case "link":
      return (
        <a
          className="pd-link"
          href={inline.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {inline.text}
        </a>
      );
    case "text":
      return <>{inline.text}</>;
  }
}
