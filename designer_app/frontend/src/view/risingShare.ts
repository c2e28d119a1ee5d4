/** The displayed share of a run, which never decreases when a node counts again in its next
 * phase. */

export function risingShare(): (run: string, share: number) => number {
  let [shownRun, most] = ["", 0];
  return (run, share) => {
    most = run === shownRun ? Math.max(most, share) : share;
    shownRun = run;
    return most;
  };
}
