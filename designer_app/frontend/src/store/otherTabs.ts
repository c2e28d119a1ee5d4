/** Messages between tabs of one pipeline: presence, and saved revisions. */

type Message =
  | { readonly say: "hello" | "here" | "bye"; readonly client: string }
  | { readonly say: "saved"; readonly client: string; readonly revision: string };

export interface TabListener {
  onOthers(openElsewhere: boolean): void;
  onSavedElsewhere(revision: string): void;
}

/** Channel of this tab to the others; does nothing if the browser has no BroadcastChannel. */
export class OtherTabs {
  private channel: BroadcastChannel | null;
  private readonly others = new Set<string>();

  constructor(
    pipelineId: string,
    private readonly client: string,
    private readonly listener: TabListener,
  ) {
    const name = `pipeline-designer.${pipelineId}`;
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
    if (!this.channel) return;
    this.channel.onmessage = (event: MessageEvent<Message>): void => this.hear(event.data);
    // in Node an open channel keeps the process alive; browsers have no such function
    (this.channel as { unref?: () => void }).unref?.();
    this.channel.postMessage({ say: "hello", client });
  }

  saved(revision: string): void {
    this.channel?.postMessage({ say: "saved", client: this.client, revision });
  }

  close(): void {
    this.channel?.postMessage({ say: "bye", client: this.client });
    this.channel?.close();
    this.channel = null;
  }

  private hear(message: Message): void {
    if (message.client === this.client) return;
    if (message.say === "hello") this.channel?.postMessage({ say: "here", client: this.client });
    if (message.say === "bye") this.others.delete(message.client);
    else this.others.add(message.client);
    this.listener.onOthers(this.others.size > 0);
    if (message.say === "saved") this.listener.onSavedElsewhere(message.revision);
  }
}

/** Return a random name for this tab; `crypto.randomUUID` needs a secure context. */
export function randomId(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(3));
  return [...numbers].map((number) => number.toString(36)).join("");
}
