/** Requests to the server, typed by its endpoints; failures are an `ApiError`. */

import type { PipelineDocument, Problem } from "../graph/types";
import type { Endpoints, ErrorAnswer } from "./types.gen";
import { t } from "../graph/translate";

/** "GET /runs/{run_id}": a method, and a path below `base`. */
type Endpoint = keyof Endpoints;

type Answer<Name extends Endpoint> = Endpoints[Name] extends { readonly gives: infer Given }
  ? Given
  : never;

/** Parts of a request: path and query parameters, headers, body. */
type Said<Name extends Endpoint> = Omit<Endpoints[Name], "gives">;

/** Parts of a request to any endpoint. */
interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Sending {
  /** Body that is sent unchanged, without a timeout. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
}

export interface ApiOptions {
  /** Base address of the API, without a trailing slash: "/api". */
  readonly base: string;
  /** Token that the server wrote into the page. */
  readonly token: string;
  readonly fetch?: typeof fetch;
}

const REQUEST_MILLISECONDS = 30_000;
/** Timeout of requests that wait until torch is loaded, which takes minutes on a busy machine. */
export const TORCH_MILLISECONDS = 240_000;

/** Error response of the server, or no response: `status` 0. */
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

  /** True if the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Error of a request that got no response. */
export function noAnswer(): ApiError {
  const cure = t("Start the server, or wait a moment.");
  return new ApiError(0, "no_answer", t("The server is not responding."), cure);
}

export class Api {
  private token: string;

  constructor(private readonly options: ApiOptions) {
    this.token = options.token;
  }

  /** Set a new token after the server was restarted. */
  setToken(token: string): void {
    this.token = token;
  }

  get currentToken(): string {
    return this.token;
  }

  /** Return the response of an endpoint; throws `ApiError`. */
  async ask<Name extends Endpoint>(
    name: Name,
    said: Said<Name>,
    milliseconds = REQUEST_MILLISECONDS,
  ): Promise<Answer<Name>> {
    const signal = AbortSignal.timeout(milliseconds);
    return answerOf<Name>(await this.send(name, said, { signal }));
  }

  /** Return the raw response, for its headers, bytes or stream; throws `ApiError`. */
  async send<Name extends Endpoint>(
    name: Name,
    said: Said<Name>,
    { file, signal }: Sending = {},
  ): Promise<Response> {
    const { path, query, header, body } = said as Parts;
    const [method = "", template = ""] = name.split(" ");
    const address = this.options.base + filled(template, path) + asked(query);
    const hasBody = body !== undefined || method === "POST";
    const content = file ?? (hasBody ? JSON.stringify(body ?? {}) : null);
    const kind = file ? file.type || "application/octet-stream" : "application/json";
    return this.request(address, {
      method,
      body: content,
      signal: signal ?? (file ? null : AbortSignal.timeout(REQUEST_MILLISECONDS)),
      headers: {
        ...(content === null ? {} : { "Content-Type": kind }),
        ...header,
        "X-Designer-Token": this.token,
      },
    });
  }

  private async request(address: string, request: RequestInit): Promise<Response> {
    const send = this.options.fetch ?? globalThis.fetch.bind(globalThis);
    let response: Response;
    try {
      response = await send(address, request);
    } catch (error) {
      const { signal } = request;
      if (signal?.aborted && signal.reason?.name !== "TimeoutError") throw error;
      throw noAnswer();
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

export function createApi(options: ApiOptions): Api {
  return new Api(options);
}

/** Return the parsed body of an endpoint's response. */
export async function answerOf<Name extends Endpoint>(response: Response): Promise<Answer<Name>> {
  return (await response.json()) as Answer<Name>;
}

function filled(template: string, path: Parts["path"] = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    // a node's path as one part of an address: `front.split` for `front/split`
    return encodeURIComponent(name === "node" ? value.replaceAll("/", ".") : value);
  });
}

function asked(query: Parts["query"] = {}): string {
  const text = new URLSearchParams(query).toString();
  return text && `?${text}`;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  const revision = answer.revision == null ? null : `"${answer.revision}"`;
  return new ApiError(
    response.status,
    answer.error?.code ?? "unknown",
    answer.error?.message ??
      t("The server rejected the request ({status}).", { status: response.status }),
    answer.error?.cure ?? t("Try again."),
    answer.problems ?? [],
    revision,
    answer.document ?? null,
  );
}
