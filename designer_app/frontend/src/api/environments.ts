/** Environments in which scripts run. */

import { type Api, answerOf } from "./client";
import type { EnvironmentRequest, EnvironmentSummary } from "./types.gen";

/** Timeout while the package index is queried for every package. */
const RESOLVING_MILLISECONDS = 180_000;

/** List all versions of all environments, and whether packages can be installed on this machine. */
export async function listEnvironments(api: Api): Promise<readonly EnvironmentSummary[]> {
  return (await api.ask("GET /environments", {})).environments;
}

/** Resolve compatible versions and store them as the next version of the environment. */
export async function keepEnvironment(
  api: Api,
  asked: Partial<EnvironmentRequest> & Pick<EnvironmentRequest, "name">,
): Promise<EnvironmentSummary> {
  const signal = AbortSignal.timeout(RESOLVING_MILLISECONDS);
  const response = await api.send("POST /environments", { body: asked }, { signal });
  return answerOf<"POST /environments">(response);
}

/** Start building an environment, unless a build is running. */
export async function buildEnvironment(api: Api, environment: string): Promise<void> {
  await api.ask("POST /environments/{environment}/build", { path: { environment } });
}
