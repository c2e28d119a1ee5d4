/** The lines of a log that hold what is searched; one of them opens the log there. */

import { type ReactElement, useEffect, useState } from "react";

import { type LogName, searchLog } from "../../api/logs";
import type { LogMatches } from "../../api/types.gen";
import { useEditor } from "../../view/context";
import { formatCount, plural } from "../../view/format";

interface Props {
  readonly log: LogName;
  readonly text: string;
  readonly onOpen: (offset: number) => void;
}

const PATIENCE = 250;

export function LogMatchesList({ log, text, onOpen }: Props): ReactElement {
  const { api } = useEditor();
  const [found, setFound] = useState<LogMatches | null>(null);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      const answer = await searchLog(api, log, text).catch(() => ({ matches: [], more: false }));
      if (!over) setFound(answer);
    }, PATIENCE);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [api, log, text]);
  if (!found) return <p className="pd-empty">Searching</p>;
  return (
    <>
      <p className="pd-log-more" role="status">
        {found.matches.length === 0
          ? "No line has that text. Try fewer letters, or another log."
          : `${found.more ? "The first " : ""}${plural(found.matches.length, "line")}`}
      </p>
      <ol className="pd-log-matches pd-scroll" data-testid="log-matches">
        {found.matches.map((match) => (
          <li key={match.offset}>
            <button type="button" onClick={() => onOpen(match.offset)}>
              <span>{formatCount(match.line)}</span>
              <code>{match.text}</code>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
