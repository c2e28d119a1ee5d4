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
    globalThis.addEventListener?.("pagehide", this.onLeave);
    globalThis.addEventListener?.("pageshow", this.onReturn);
    this.say("hello");
  }

  saved(revision: string): void {
    this.channel?.postMessage({ say: "saved", client: this.client, revision });
  }

  close(): void {
    globalThis.removeEventListener?.("pagehide", this.onLeave);
    globalThis.removeEventListener?.("pageshow", this.onReturn);
    this.say("bye");
    this.channel?.close();
    this.channel = null;
  }

  /** A closed or reloaded tab does not call `close`. */
  private readonly onLeave = (): void => this.say("bye");

  /** The browser may restore a page that it left, with "Back" for example. */
  private readonly onReturn = (event: { readonly persisted?: boolean }): void => {
    if (event.persisted) this.say("hello");
  };

  private say(say: "hello" | "here" | "bye"): void {
    this.channel?.postMessage({ say, client: this.client });
  }

  private hear(message: Message): void {
    if (message.client === this.client) return;
    if (message.say === "hello") this.say("here");
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
