/** What is said once trainings were asked to end early. */

export function stopText(trainings: number): string {
  if (trainings === 0) return "No training is under way: nothing was ended early. Cancel ends all.";
  if (trainings === 1) return "1 training ends early and hands on its best model so far.";
  return `${trainings} trainings end early; each hands on its best model so far.`;
}
