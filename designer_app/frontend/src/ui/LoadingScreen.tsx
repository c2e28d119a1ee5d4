/** Screen while a pipeline is loading, and after a failure. */

import { type ReactElement, useEffect, useState } from "react";

import { ApiError } from "../api/client";
import { t } from "../graph/translate";

interface Props {
  /** Error or text; null while loading. */
  readonly failed: unknown;
  readonly onRetry?: () => void;
}

/** Milliseconds before the screen appears. */
const PATIENCE = 300;
const RETRY_AFTER = 2000;

export function LoadingScreen({ failed, onRetry }: Props): ReactElement | null {
  const passing = failed instanceof ApiError && failed.isPassing;
  useEffect(() => {
    if (!passing || !onRetry) return;
    const timer = setTimeout(onRetry, RETRY_AFTER);
    return () => clearTimeout(timer);
  }, [failed, passing, onRetry]);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (failed !== null) {
    return (
      <div className="pd-opening" role="alert">
        <p>{wordsOf(failed)}</p>
        {passing && <p className="pd-faint">{t("Retrying every two seconds.")}</p>}
        {onRetry && (
          <button type="button" className="pd-button" data-kind="primary" onClick={onRetry}>
            {t("Try again")}
          </button>
        )}
      </div>
    );
  }
  if (!late) return null;
  return (
    <div className="pd-opening" role="status">
      <span className="pd-spinner" /> {t("Opening pipeline")}
    </div>
  );
}

function wordsOf(failed: unknown): string {
  if (typeof failed === "string") return failed;
  const cure = failed instanceof Error && "cure" in failed ? String(failed.cure) : t("Try again.");
  return `${failed instanceof Error ? failed.message : String(failed)} ${cure}`;
}
