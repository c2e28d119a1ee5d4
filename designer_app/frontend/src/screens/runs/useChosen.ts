/** Selected runs of a table. Those of a sweep's trials survive a page that replaces the table. */

import { useEffect, useState } from "react";

type Chosen = readonly string[];

/** Selected runs by sweep: Streamlit may remount the table while the page is redrawn. */
const chosenTrials = new Map<string, Chosen>();

/** Return the selected runs of the table, and the function that selects others. */
export function useChosen(sweep: string | undefined): [Chosen, (chosen: Chosen) => void] {
  const [chosen, setChosen] = useState<Chosen>(() => chosenTrials.get(sweep ?? "") ?? []);
  useEffect(() => {
    if (sweep !== undefined) chosenTrials.set(sweep, chosen);
  }, [sweep, chosen]);
  return [chosen, setChosen];
}
