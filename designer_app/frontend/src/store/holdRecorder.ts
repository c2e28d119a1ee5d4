/** Recording while a button or key is held: several pictures a second of one class. */

/** Pictures a second. */
export const RATE = 6;
/** Pictures that may wait for the server before recording pauses. */
const MAX_WAITING = 30;

export interface RecorderParts {
  /** Return what the camera shows; null if it shows nothing. */
  readonly grab: () => Promise<Blob | null>;
  readonly add: (classId: string, content: Blob) => void;
  /** Number of pictures that are not stored yet. */
  readonly waiting: () => number;
  readonly changed: (classId: string | null) => void;
}

export class HoldRecorder {
  private timer: ReturnType<typeof setInterval> | null = null;
  private classId: string | null = null;
  private isGrabbing = false;

  constructor(private readonly parts: RecorderParts) {}

  /** Record for a class until `stop`; the first picture is taken at once. */
  start(classId: string): void {
    if (this.classId === classId) return;
    this.stop();
    this.classId = classId;
    this.parts.changed(classId);
    void this.take(classId);
    this.timer = setInterval(() => void this.take(classId), 1000 / RATE);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    if (this.classId === null) return;
    this.classId = null;
    this.parts.changed(null);
  }

  private async take(classId: string): Promise<void> {
    if (this.isGrabbing || this.parts.waiting() >= MAX_WAITING) return;
    this.isGrabbing = true;
    try {
      const content = await this.parts.grab();
      if (content) this.parts.add(classId, content);
    } finally {
      this.isGrabbing = false;
    }
  }
}
