/** Message after running trainings were asked to finish early. */

export function stopText(trainings: number): string {
  if (trainings === 0) return "No training is running. Use Cancel to end the run.";
  if (trainings === 1) return "1 training finishes early with its best model so far.";
  return `${trainings} trainings finish early with their best models so far.`;
}
