/** While a pipeline is being opened, and when that fails. */

import { type ReactElement, useEffect, useState } from "react";

interface Props {
  readonly failed: string | null;
  readonly onRetry?: () => void;
}

const PATIENCE = 300;

export function LoadingScreen({ failed, onRetry }: Props): ReactElement | null {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (failed !== null) {
    return (
      <div className="pd-opening" role="alert">
        <p>{failed}</p>
        {onRetry && (
          <button type="button" className="pd-button" data-kind="primary" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    );
  }
  if (!late) return null;
  return (
    <div className="pd-opening" role="status">
      <span className="pd-spinner" /> Opening the pipeline
    </div>
  );
}
