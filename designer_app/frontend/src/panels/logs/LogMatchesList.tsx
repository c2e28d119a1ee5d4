/** Matching lines of some logs; a click opens the log there. */

import { type ReactElement, useEffect, useState } from "react";

import { searchLogs } from "../../api/logs";
import type { RunLogMatches } from "../../api/types.gen";
import { useEditor } from "../../view/context";
import { formatCount } from "../../view/format";
import { t } from "../../graph/translate";

interface Props {
  readonly run: string;
  /** Node whose logs are searched; empty for those of all. */
  readonly within: string;
  readonly text: string;
  /** Return the owner of a line's log, if there are several. */
  readonly ownerOf: ((match: Match) => string) | null;
  readonly onOpen: (match: Match) => void;
}

type Match = RunLogMatches["matches"][number];

const PATIENCE = 250;

export function LogMatchesList({ run, within, text, ownerOf, onOpen }: Props): ReactElement {
  const { api } = useEditor();
  const [matches, setFound] = useState<RunLogMatches | null>(null);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      const nothing = { matches: [], more: false };
      const answer = await searchLogs(api, run, within, text).catch(() => nothing);
      if (!over) setFound(answer);
    }, PATIENCE);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [api, run, within, text]);
  if (!matches) return <p className="pd-empty">{t("Searching")}</p>;
  return (
    <>
      <p className="pd-log-more" role="status">
        {matches.matches.length === 0
          ? t("No matching lines. Try a shorter text.")
          : matches.more
            ? t("The first {count:,} {count:line|lines}", { count: matches.matches.length })
            : t("{count:,} {count:line|lines}", { count: matches.matches.length })}
      </p>
      <ol className="pd-log-matches pd-scroll" data-testid="log-matches">
        {matches.matches.map((match) => (
          <li key={`${match.node}/${match.file} ${match.offset}`}>
            <button type="button" onClick={() => onOpen(match)}>
              {ownerOf && <b>{ownerOf(match)}</b>}
              <span>{formatCount(match.line)}</span>
              <code>{match.text}</code>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
