/** Loaded lines of a log; earlier ones are loaded on demand. */

import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";

import type { LogWindow } from "../../api/logs";
import { Button } from "../../ui/buttons";
import { formatBytes } from "../../view/format";
import { t } from "../../graph/translate";

interface Props {
  readonly shown: LogWindow | null;
  readonly follows: boolean;
  readonly onEarlier: () => Promise<void>;
  readonly onEnd: () => Promise<void>;
}

export function LogText({ shown, follows, onEarlier, onEnd }: Props): ReactElement {
  const ref = useRef<HTMLPreElement>(null);
  const fromEnd = useRef<number | null>(null);
  useEffect(() => {
    if (follows) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [shown?.end, follows]);
  // visible lines stay in place when lines are added above them
  useLayoutEffect(() => {
    const text = ref.current;
    if (!text || fromEnd.current === null) return;
    text.scrollTop = text.scrollHeight - fromEnd.current;
    fromEnd.current = null;
  }, [shown?.start]);
  const earlier = (): void => {
    const text = ref.current;
    fromEnd.current = text ? text.scrollHeight - text.scrollTop : null;
    void onEarlier();
  };
  return (
    <>
      {shown && shown.start > 0 && (
        <p className="pd-log-more">
          <Button small onClick={earlier} data-testid="log-earlier">
            {t("Show earlier lines")}
          </Button>
          <span>{t("{size} earlier", { size: formatBytes(shown.start) })}</span>
        </p>
      )}
      <pre
        className="pd-log pd-scroll"
        ref={ref}
        tabIndex={0}
        aria-label={t("Log text")}
        data-testid="log-text"
      >
        {shown === null ? "" : shown.text || t("This log is empty.")}
      </pre>
      {shown && shown.end < shown.size && (
        <p className="pd-log-more">
          <Button small onClick={() => void onEnd()}>
            {t("Jump to end")}
          </Button>
          <span>{t("{size} later", { size: formatBytes(shown.size - shown.end) })}</span>
        </p>
      )}
    </>
  );
}
