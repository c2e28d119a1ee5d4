/** The server's HTTP API, typed. One function sends; what goes wrong is an `ApiError`. */

import type {
  CatalogSpec,
  ComputeTarget,
  MetricPoint,
  PipelineDocument,
  Problem,
  RunState,
} from "../graph/types";

export interface ApiOptions {
  /** Where the API is, without a slash at the end: "/api". */
  readonly base: string;
  /** The token that the server put into the page. */
  readonly token: string;
  readonly fetch?: typeof fetch;
}

export interface CatalogAnswer extends CatalogSpec {
  readonly targets: readonly ComputeTarget[];
}

export interface Opened {
  readonly document: PipelineDocument;
  /** The ETag: what the next commit says it was made from. */
  readonly revision: string;
}

export interface Committed {
  readonly revision: string;
  readonly problems: readonly Problem[];
}

/** Who sends a commit and which one it is: one that is sent again is kept once. */
export interface CommitName {
  readonly client: string;
  readonly seq: number;
  readonly revision: string;
}

export interface RunRequest {
  readonly document: PipelineDocument;
  readonly pipeline_id: string | null;
  readonly name: string | null;
  readonly experiment: string | null;
  readonly description: string;
  /** Run only what this node needs. */
  readonly to: string | null;
  readonly target: string | null;
  /** What was chosen, where the document is the part of the pipeline that it needs. */
  readonly only: readonly string[];
  /** Nodes to make anew, with all after them. */
  readonly forced: readonly string[];
}

export interface RunAnswer {
  readonly run_id: string;
  readonly name: string | null;
  readonly experiment: string | null;
  readonly description: string;
  readonly to: string | null;
  readonly target: string | null;
  readonly only: readonly string[];
  readonly status: string;
  readonly last_event_id: number;
  readonly state: RunState;
  readonly document: PipelineDocument;
}

export interface RunEntry {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly pipeline_id: string | null;
  readonly status: string;
  readonly created: number;
}

export interface RunList {
  readonly runs: readonly RunEntry[];
  readonly experiments: readonly string[];
}

export interface PipelineEntry {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly updated: number;
  readonly num_nodes: number;
}

export interface RevisionEntry {
  readonly revision: number;
  readonly created: number;
  readonly num_nodes: number;
  readonly changes: string;
}

/** What a run will do, foreseen; null where it cannot be known. */
export interface NodeForecast {
  readonly node: string;
  readonly reused: boolean;
  readonly images: number | null;
  readonly classes: number | null;
  /** Height and width of the first output, in pixels. */
  readonly image_size: readonly [number, number] | null;
  readonly memory_bytes: number | null;
  readonly seconds: number | null;
  readonly basis: "estimated" | "measured" | "reused" | null;
  readonly findings: readonly {
    readonly parameter: string;
    readonly message: string;
    readonly cure: string;
    readonly severity: "error" | "warning";
  }[];
}

export type Choices = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Forecast {
  readonly nodes: readonly NodeForecast[];
  readonly totals: {
    readonly seconds: number;
    readonly critical_path_seconds: number;
    readonly memory_bytes: number | null;
    readonly nodes_unknown: number;
    readonly nodes_reused: number;
  };
}

export type Curves = Readonly<Record<string, Readonly<Record<string, readonly MetricPoint[]>>>>;

export interface DatasetEntry {
  readonly name: string;
  readonly source: string;
}

/** A refusal of the server, or its silence: `status` 0. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly cure: string,
    readonly problems: readonly Problem[] = [],
    readonly revision: string | null = null,
    readonly document: PipelineDocument | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** True where the same request may well succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const REQUEST_SECONDS = 30;

export class Api {
  private token: string;

  constructor(private readonly options: ApiOptions) {
    this.token = options.token;
  }

  /** A new token: the server was started again. */
  setToken(token: string): void {
    this.token = token;
  }

  get currentToken(): string {
    return this.token;
  }

  catalog(): Promise<CatalogAnswer> {
    return this.json("GET", "/catalog");
  }

  async pipelines(): Promise<readonly PipelineEntry[]> {
    return (await this.json<{ pipelines: readonly PipelineEntry[] }>("GET", "/pipelines"))
      .pipelines;
  }

  async create(document: unknown): Promise<{ id: string; revision: string }> {
    const response = await this.send("POST", "/pipelines", document);
    const { id } = (await response.json()) as { id: string };
    return { id, revision: revisionOf(response) };
  }

  async open(id: string): Promise<Opened> {
    const response = await this.send("GET", `/pipelines/${id}`);
    const document = (await response.json()) as PipelineDocument;
    return { document, revision: revisionOf(response) };
  }

  async commit(document: PipelineDocument, name: CommitName): Promise<Committed> {
    const response = await this.send("PUT", `/pipelines/${document.id}`, document, {
      "If-Match": name.revision,
      "X-Designer-Client": name.client,
      "X-Designer-Seq": String(name.seq),
    });
    const { problems } = (await response.json()) as { problems?: readonly Problem[] };
    return { revision: revisionOf(response), problems: problems ?? [] };
  }

  async remove(id: string): Promise<void> {
    await this.send("DELETE", `/pipelines/${id}`);
  }

  async undelete(id: string): Promise<void> {
    await this.send("POST", `/pipelines/${id}/undelete`, {});
  }

  async revisions(id: string): Promise<readonly RevisionEntry[]> {
    const answer = await this.json<{ revisions: readonly RevisionEntry[] }>(
      "GET",
      `/pipelines/${id}/revisions`,
    );
    return answer.revisions;
  }

  async openRevision(id: string, revision: number): Promise<PipelineDocument> {
    return this.json("GET", `/pipelines/${id}/revisions/${revision}`);
  }

  async restore(id: string, revision: number): Promise<void> {
    await this.send("POST", `/pipelines/${id}/revisions/${revision}/restore`, {});
  }

  validate(document: PipelineDocument): Promise<{ valid: boolean; problems: readonly Problem[] }> {
    return this.json("POST", "/validate", document);
  }

  choices(document: PipelineDocument): Promise<{ nodes: Readonly<Record<string, Choices>> }> {
    return this.json("POST", "/choices", document);
  }

  forecast(document: PipelineDocument): Promise<Forecast> {
    return this.json("POST", "/forecast", document);
  }

  async targets(): Promise<readonly ComputeTarget[]> {
    return (await this.json<{ targets: readonly ComputeTarget[] }>("GET", "/targets")).targets;
  }

  runs(limit = 50): Promise<RunList> {
    return this.json("GET", `/runs?limit=${limit}`);
  }

  /** The newest run of a saved pipeline. */
  async newestRun(pipeline: string): Promise<RunEntry | undefined> {
    const path = `/runs?limit=1&pipeline=${encodeURIComponent(pipeline)}`;
    return (await this.json<RunList>("GET", path)).runs[0];
  }

  async submit(request: RunRequest): Promise<string> {
    return (await this.json<{ run_id: string }>("POST", "/runs", request)).run_id;
  }

  run(id: string): Promise<RunAnswer> {
    return this.json("GET", `/runs/${id}`);
  }

  /** The pipeline as it was submitted. */
  documentOf(run: string): Promise<PipelineDocument> {
    return this.json("GET", `/runs/${run}/document`);
  }

  async cancel(id: string): Promise<void> {
    await this.send("POST", `/runs/${id}/cancel`, {});
  }

  async resume(id: string): Promise<void> {
    await this.send("POST", `/runs/${id}/resume`, {});
  }

  /** Ends trainings under way early; gives the nodes that will stop. */
  async stopAndKeep(id: string): Promise<readonly string[]> {
    const answer = await this.json<{ stopping?: readonly string[] }>(
      "POST",
      `/runs/${id}/stop-and-keep`,
      {},
    );
    return answer.stopping ?? [];
  }

  /** The curves of one node, as many points as a chart can show. */
  async metrics(id: string, node: string): Promise<Curves> {
    const path = `/runs/${id}/metrics?node=${encodeURIComponent(node)}`;
    return (await this.json<{ metrics: Curves }>("GET", path)).metrics;
  }

  async datasets(): Promise<readonly DatasetEntry[]> {
    return (await this.json<{ datasets: readonly DatasetEntry[] }>("GET", "/datasets")).datasets;
  }

  /** An archive of images becomes a dataset; gives what to write in Import Images. */
  async uploadDataset(file: File, name: string): Promise<string> {
    const query = new URLSearchParams({ name, file: file.name }).toString();
    const response = await this.upload(`/datasets?${query}`, file);
    return ((await response.json()) as { source: string }).source;
  }

  /** Sends a file as it is. */
  upload(path: string, file: Blob): Promise<Response> {
    const headers = { "Content-Type": file.type || "application/octet-stream" };
    return this.request(this.options.base + path, "POST", file, headers, null);
  }

  /** The stream of a run's events; the caller reads its body and aborts it. */
  async events(run: string, after: number | null, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> =
      after === null ? {} : { "Last-Event-ID": String(after) };
    const address = `${this.options.base}/runs/${run}/events`;
    return this.request(address, "GET", undefined, headers, signal);
  }

  /** An answer that is no JSON. */
  fetched(path: string): Promise<Response> {
    return this.send("GET", path);
  }

  async json<Answer>(method: string, path: string, content?: unknown): Promise<Answer> {
    return (await (await this.send(method, path, content)).json()) as Answer;
  }

  /** One request below `base`; throws `ApiError`. */
  send(
    method: string,
    path: string,
    content?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const body = content === undefined ? undefined : JSON.stringify(content);
    const type: Record<string, string> =
      body === undefined ? {} : { "Content-Type": "application/json" };
    return this.request(this.options.base + path, method, body, { ...type, ...headers });
  }

  private async request(
    address: string,
    method: string,
    body: BodyInit | undefined,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | null = AbortSignal.timeout(REQUEST_SECONDS * 1000),
  ): Promise<Response> {
    const send = this.options.fetch ?? globalThis.fetch.bind(globalThis);
    let response: Response;
    try {
      response = await send(address, {
        method,
        body: body ?? null,
        signal,
        headers: { ...headers, "X-Designer-Token": this.token },
      });
    } catch (error) {
      if (signal?.aborted && signal.reason?.name !== "TimeoutError") throw error;
      throw new ApiError(
        0,
        "no_answer",
        "The server does not answer.",
        "Start it, or wait a moment.",
      );
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

export function createApi(options: ApiOptions): Api {
  return new Api(options);
}

interface ErrorAnswer {
  readonly error?: { readonly code?: string; readonly message?: string; readonly cure?: string };
  readonly problems?: readonly Problem[] | null;
  readonly revision?: number | null;
  readonly document?: PipelineDocument | null;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => ({}))) as ErrorAnswer;
  const revision = answer.revision == null ? null : `"${answer.revision}"`;
  return new ApiError(
    response.status,
    answer.error?.code ?? "unknown",
    answer.error?.message ?? `The server refused it (${response.status}).`,
    answer.error?.cure ?? "Try again.",
    answer.problems ?? [],
    revision,
    answer.document ?? null,
  );
}

function revisionOf(response: Response): string {
  return response.headers.get("ETag") ?? "";
}
