/** Message after running trainings were asked to finish early. */

import { t } from "../graph/translate";

export function stopText(trainings: number): string {
  if (trainings === 0) return t("No training is running. Use Cancel to end the run.");
  if (trainings === 1) return t("1 training finishes early with its best model so far.");
  return t("{trainings} trainings finish early with their best models so far.", { trainings });
}
