/** Pictures on their way to the server: a few at a time, repeated while it is not responding. */

import { ApiError } from "../api/client";

export interface WaitingPicture {
  readonly recording: string;
  readonly classId: string;
  readonly id: string;
  readonly content: Blob;
  /** Name of the file, if it is one. */
  readonly file?: string;
}

export interface QueueEvents {
  /** The picture is stored safely. */
  readonly stored: (picture: WaitingPicture) => void;
  /** The server refused the picture: it is dropped. */
  readonly refused: (picture: WaitingPicture, error: unknown) => void;
  /** The server does not respond: the picture is sent again; null once it responds. */
  readonly waiting: (error: ApiError | null) => void;
}

const AT_ONCE = 2;
const RETRY_MILLISECONDS = 1500;

/** Order is kept, except among the few that are sent at once. */
export class PictureQueue {
  private readonly pictures: WaitingPicture[] = [];
  private sending = 0;
  private isWaiting = false;

  constructor(
    private readonly store: (picture: WaitingPicture) => Promise<void>,
    private readonly events: QueueEvents,
    private readonly retryMilliseconds = RETRY_MILLISECONDS,
  ) {}

  /** Number of pictures that are not stored yet. */
  get size(): number {
    return this.pictures.length + this.sending;
  }

  add(picture: WaitingPicture): void {
    this.pictures.push(picture);
    this.sendMore();
  }

  private sendMore(): void {
    while (this.sending < AT_ONCE && !this.isWaiting) {
      const next = this.pictures.shift();
      if (!next) return;
      this.sending += 1;
      void this.send(next).finally(() => {
        this.sending -= 1;
        this.sendMore();
      });
    }
  }

  private async send(picture: WaitingPicture): Promise<void> {
    try {
      await this.store(picture);
    } catch (error) {
      // a full disk is not repaired by waiting
      if (error instanceof ApiError && error.isPassing && error.status !== 507) {
        this.pictures.unshift(picture);
        this.pause(error);
      } else {
        this.events.refused(picture, error);
      }
      return;
    }
    this.events.waiting(null);
    this.events.stored(picture);
  }

  private pause(error: ApiError): void {
    this.events.waiting(error);
    if (this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => {
      this.isWaiting = false;
      this.sendMore();
    }, this.retryMilliseconds);
  }
}
