/** A small real server on loopback that stores pipelines like the product's API. */

import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Api, createApi } from "../src/api/client";
import type { PipelineDocument } from "../src/graph/types";

export interface Kept {
  readonly document: PipelineDocument;
  readonly revision: number;
}

type Judge = (response: ServerResponse, document: PipelineDocument) => void;
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => boolean;

/** API of a server that never responds: nothing is saved. */
export function silentApi(): Api {
  return createApi({ base: "/api", token: "", fetch: () => new Promise(() => undefined) });
}

export class PipelineServer {
  readonly kept = new Map<string, Kept>();
  /** Every stored commit, in order. */
  readonly commits: PipelineDocument[] = [];
  /** Called first; returns true if it has responded. */
  intercept: Answer = () => false;
  /** Send the problems of a document, after the confirmation that it is stored. */
  judge: Judge = (response) => finish(response, []);
  private readonly seen = new Map<string, number>();
  private server: Server | null = null;
  private port = 0;

  get api(): Api {
    return createApi({ base: `http://127.0.0.1:${this.port}/api`, token: "secret" });
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    server.keepAliveTimeout = 1;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  }

  keep(document: PipelineDocument): number {
    const revision = (this.kept.get(document.id)?.revision ?? 0) + 1;
    this.kept.set(document.id, { document, revision });
    return revision;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    if (this.intercept(request, response, body)) return;
    if (request.headers["x-designer-token"] !== "secret") return send(response, 401, {});
    const [, , resource, id] = (request.url ?? "").split("/");
    if (resource !== "pipelines") return send(response, 404, {});
    if (request.method === "POST" && id === undefined) return this.create(response, body);
    const kept = this.kept.get(id ?? "");
    if (!kept) return send(response, 404, { error: { code: "not_found" } });
    if (request.method === "PUT") return this.commit(request, response, body, kept);
    return send(response, 200, kept.document, kept.revision);
  }

  private create(response: ServerResponse, body: string): void {
    const document = { ...(JSON.parse(body) as PipelineDocument), id: `made-${this.kept.size}` };
    send(response, 201, { id: document.id }, this.keep(document));
  }

  private commit(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    kept: Kept,
  ): void {
    const name = `${String(request.headers["x-designer-client"])} ${String(request.headers["x-designer-seq"])}`;
    const known = this.seen.get(name);
    if (known !== undefined) return send(response, 200, { problems: [] }, known);
    if (request.headers["if-match"] !== `"${kept.revision}"`) {
      const error = { code: "stale_revision", message: "Saved meanwhile.", cure: "Load it." };
      return send(response, 409, { error, revision: kept.revision, document: kept.document });
    }
    const document = JSON.parse(body) as PipelineDocument;
    const revision = this.keep(document);
    this.seen.set(name, revision);
    this.commits.push(document);
    begin(response, 200, revision).write(`{"revision":${revision},`);
    this.judge(response, document);
  }
}

/** End the response to a commit. */
export function finish(response: ServerResponse | undefined, problems: readonly unknown[]): void {
  response?.end(`"problems":${JSON.stringify(problems)}}`);
}

export function send(
  response: ServerResponse,
  status: number,
  content: unknown,
  revision?: number,
): void {
  begin(response, status, revision).end(JSON.stringify(content));
}

function begin(response: ServerResponse, status: number, revision?: number): ServerResponse {
  const tag = revision === undefined ? {} : { ETag: `"${revision}"` };
  return response.writeHead(status, { "Content-Type": "application/json", ...tag });
}

/** Wait until the condition holds; fail after that many seconds. */
export async function until(condition: () => boolean, label = "it", seconds = 5): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`${label} did not come about in ${seconds} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
