/** State of the page Camera: a recording, its training, and the last message. */

import { type StoreApi, createStore } from "zustand/vanilla";

import { type Api, ApiError } from "../api/client";
import * as recordings from "../api/recordings";
import type { RecordingAnswer, RecordingEntry, TrainingProgress } from "../api/types.gen";
import { t } from "../graph/translate";
import { HoldRecorder } from "./holdRecorder";
import { PictureQueue, type WaitingPicture } from "./pictureQueue";
import {
  type ShownClass,
  mergedClasses,
  newPictureId,
  withPicture,
  withStored,
  withoutPicture,
} from "./recordedClasses";

/** Message of the page; an error interrupts a screen reader. */
export interface CameraNotice {
  readonly text: string;
  readonly isError: boolean;
  readonly undo?: () => Promise<void>;
}

export interface RecordingState {
  /** Null until it is loaded. */
  readonly recording: RecordingAnswer | null;
  readonly classes: readonly ShownClass[];
  readonly all: readonly RecordingEntry[];
  readonly failed: unknown;
  readonly notice: CameraNotice | null;
  /** Class that is being recorded. */
  readonly recordingClass: string | null;
  /** Request in progress that other actions wait for. */
  readonly busy: "save" | "train" | null;
  readonly training: TrainingProgress | null;
  /** Last run that has a trained model. */
  readonly liveRun: string | null;
}

const NAME_PARAMETER = "recording";
const POLL_MILLISECONDS = 400;
const PAST_PROGRESS_MILLISECONDS = 3000;

export class RecordingPage {
  readonly store: StoreApi<RecordingState>;
  readonly recorder: HoldRecorder;
  private readonly queue: PictureQueue;
  /** Pictures of this tab by id, so that their previews need no request. */
  private readonly pictures = new Map<string, string>();
  /** Names of the files of the last selection that were refused. */
  private readonly refusedFiles: string[] = [];
  private grab: () => Promise<Blob | null> = () => Promise.resolve(null);

  constructor(
    readonly api: Api,
    private readonly pollMilliseconds = POLL_MILLISECONDS,
  ) {
    this.store = createStore<RecordingState>(() => ({
      recording: null,
      classes: [],
      all: [],
      failed: null,
      notice: null,
      recordingClass: null,
      busy: null,
      training: null,
      liveRun: null,
    }));
    this.queue = new PictureQueue((picture) => this.send(picture), {
      stored: (picture) => this.onStored(picture),
      refused: (picture, error) => this.onRefused(picture, error),
      waiting: (error) => this.onWaiting(error),
    });
    this.recorder = new HoldRecorder({
      grab: () => this.grab(),
      add: (classId, content) => this.addPicture(classId, content),
      waiting: () => this.queue.size,
      changed: (recordingClass) => this.set({ recordingClass }),
    });
  }

  get name(): string {
    return this.state.recording?.name ?? "";
  }

  /** Use the page's view for pictures: it returns what it shows. */
  setView(grab: () => Promise<Blob | null>): void {
    this.grab = grab;
  }

  /** Return what the view shows. */
  current(): Promise<Blob | null> {
    return this.grab();
  }

  /** Open the recording in the address, else the first one, else a new one. */
  async open(address: string): Promise<void> {
    this.set({ failed: null });
    try {
      const all = await recordings.listRecordings(this.api);
      const wanted = new URLSearchParams(address).get(NAME_PARAMETER) ?? all[0]?.name ?? null;
      const known = all.find((one) => one.name === wanted);
      const answer = known
        ? await recordings.fetchRecording(this.api, known.name)
        : await recordings.createRecording(this.api, wanted);
      this.take(answer);
      this.set({ all: await recordings.listRecordings(this.api) });
      if (answer.run_id) void this.follow(answer.run_id);
    } catch (failed) {
      this.set({ failed });
    }
  }

  /** Open another recording, or a new one. */
  async change(name: string | null): Promise<void> {
    this.recorder.stop();
    await this.attempt(async () => {
      const answer = name
        ? await recordings.fetchRecording(this.api, name)
        : await recordings.createRecording(this.api, null);
      this.set({ classes: [], training: null, liveRun: null });
      this.take(answer);
      this.set({ all: await recordings.listRecordings(this.api) });
      if (answer.run_id) void this.follow(answer.run_id);
    });
  }

  /** Delete the recording with its pictures, and open another one. */
  async deleteRecording(): Promise<void> {
    this.recorder.stop();
    const name = this.name;
    await this.attempt(async () => {
      await recordings.deleteRecording(this.api, name);
      const [next] = this.state.all.filter((one) => one.name !== name);
      await this.change(next?.name ?? null);
      this.say(t("Deleted the recording {name}. Its datasets are kept.", { name }), false);
    });
  }

  /** Fetch what other tabs have stored. */
  async refresh(): Promise<void> {
    if (!this.name) return;
    try {
      this.take(await recordings.fetchRecording(this.api, this.name));
    } catch (error) {
      if (!(error instanceof ApiError && error.isPassing)) this.report(error);
    }
  }

  async addClass(name: string): Promise<void> {
    await this.attempt(async () => {
      await recordings.addClass(this.api, this.name, name);
      await this.refresh();
    });
  }

  async renameClass(classId: string, name: string): Promise<void> {
    await this.attempt(() => recordings.renameClass(this.api, this.name, classId, name));
    await this.refresh();
  }

  async removeClass(category: ShownClass): Promise<void> {
    const name = this.name;
    await this.attempt(async () => {
      await recordings.removeClass(this.api, name, category.id);
      await this.refresh();
      this.set({
        notice: {
          text: t("Removed {name} with its images.", { name: category.name }),
          isError: false,
          undo: () => recordings.restoreClass(this.api, name, category.id),
        },
      });
    });
  }

  /** Show a picture and send it; it has a check mark once the server has stored it. */
  addPicture(classId: string, content: Blob, file?: string): void {
    const id = newPictureId();
    this.pictures.set(id, URL.createObjectURL(content));
    const { classes } = this.state;
    this.set({ classes: withPicture(classes, classId, { id, stored: false }) });
    this.queue.add({ recording: this.name, classId, id, content, ...(file ? { file } : {}) });
  }

  /** Add image files to a class; others are refused by the server, one message each. */
  addFiles(classId: string, files: readonly File[]): void {
    this.refusedFiles.length = 0;
    const most = this.state.recording?.limits.picture_bytes ?? Infinity;
    for (const file of files) {
      if (file.size > most) {
        const facts = { name: file.name, size: Math.round(most / 2 ** 20) };
        this.say(t("{name} is larger than {size} MB. Choose a smaller image.", facts));
      } else {
        const content = file.slice(0, file.size, sentType(file.type));
        this.addPicture(classId, content, file.name);
      }
    }
  }

  /** Add what the view shows to a class. */
  async addCurrent(classId: string): Promise<void> {
    const content = await this.grab();
    if (content) this.addPicture(classId, content);
  }

  async removePicture(classId: string, picture: string): Promise<void> {
    const place = { recording: this.name, class_id: classId, picture };
    await this.attempt(async () => {
      await recordings.removePicture(this.api, place);
      this.set({ classes: withoutPicture(this.state.classes, classId, picture) });
      this.set({
        notice: {
          text: t("Deleted one image."),
          isError: false,
          undo: () => recordings.restorePicture(this.api, place),
        },
      });
    });
    await this.refresh();
  }

  async undo(): Promise<void> {
    const undo = this.state.notice?.undo;
    if (!undo) return;
    this.dismiss();
    await this.attempt(undo);
    await this.refresh();
  }

  async save(): Promise<void> {
    await this.during("save", async () => {
      const source = await recordings.saveRecording(this.api, this.name);
      await this.refresh();
      this.say(t("Saved. Use it in Import Images as {source}.", { source }), false);
    });
  }

  /** Save, build the pipeline and run it; resolves when the run has ended. */
  async train(): Promise<void> {
    const before = this.state.recording?.run_id;
    await this.during("train", async () => {
      await recordings.trainRecording(this.api, this.name);
    });
    // also after a failure: the server may have started the run before the connection broke
    await this.refresh();
    const run = this.state.recording?.run_id;
    if (run && run !== before) await this.follow(run);
  }

  /** Show the progress of a run until it has ended. */
  async follow(run: string): Promise<void> {
    const name = this.name;
    for (;;) {
      try {
        const training = await recordings.fetchTraining(this.api, run);
        if (this.name !== name) return;
        this.set({ training });
        if (training.status === "completed") this.set({ liveRun: run });
        if (training.is_finished) return;
      } catch (error) {
        const passing = error instanceof ApiError && error.isPassing;
        if (error instanceof ApiError && error.status === 404) this.set({ training: null });
        if (!passing) return;
        await later(PAST_PROGRESS_MILLISECONDS);
      }
      await later(this.pollMilliseconds);
    }
  }

  /** Return the address of a picture that this tab recorded; null if the server has it only. */
  addressOf(picture: string): string | null {
    return this.pictures.get(picture) ?? null;
  }

  /** Return the address of a stored picture, which is fetched once. */
  async fetchAddress(classId: string, picture: string, edge: number): Promise<string> {
    const place = { recording: this.name, class_id: classId, picture };
    const content = await recordings.fetchPicture(this.api, place, edge);
    const address = URL.createObjectURL(content);
    this.pictures.set(picture, address);
    return address;
  }

  say(text: string, isError = true): void {
    this.set({ notice: { text, isError } });
  }

  dismiss(): void {
    this.set({ notice: null });
  }

  private get state(): RecordingState {
    return this.store.getState();
  }

  private set(part: Partial<RecordingState>): void {
    this.store.setState(part);
  }

  private take(recording: RecordingAnswer): void {
    this.set({ recording, classes: mergedClasses(this.state.classes, recording.classes) });
  }

  private async send({ recording, classId, id, content }: WaitingPicture): Promise<void> {
    const place = { recording, class_id: classId, picture: id };
    await recordings.storePicture(this.api, place, await readWhole(content));
  }

  private onStored({ classId, id }: WaitingPicture): void {
    const { classes, recording } = this.state;
    this.set({
      classes: withStored(classes, classId, id),
      recording: recording && { ...recording, is_saved: false },
    });
  }

  private onRefused({ classId, id, file }: WaitingPicture, error: unknown): void {
    this.recorder.stop(); // the next ones would be refused, too
    this.set({ classes: withoutPicture(this.state.classes, classId, id) });
    if (file) this.refusedFiles.push(file);
    const [first] = this.refusedFiles;
    const others = this.refusedFiles.length - 1;
    const message = messageOf(error);
    if (!file || !first) this.say(message);
    else if (others === 0) this.say(`${first}: ${message}`);
    else {
      const facts = { first, others, message };
      this.say(t("{first} and {others:,} other {others:file|files}: {message}", facts));
    }
  }

  private onWaiting(error: ApiError | null): void {
    const { notice } = this.state;
    const text = t("The server is not responding. Images without a check mark are sent again.");
    if (error) this.say(text);
    else if (notice?.text === text) this.dismiss();
  }

  private async during(busy: "save" | "train", act: () => Promise<void>): Promise<void> {
    if (this.state.busy) return;
    this.recorder.stop();
    this.set({ busy, notice: null });
    await this.attempt(act);
    this.set({ busy: null });
  }

  private async attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.report(error);
    }
  }

  private report(error: unknown): void {
    this.say(messageOf(error));
  }
}

/** Return the message of an error with its fix. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.message} ${error.cure}`;
  return error instanceof Error ? error.message : String(error);
}

/** Read a file before it is sent: a request of a file that is gone fails like one without a server. */
async function readWhole(content: Blob): Promise<Blob> {
  try {
    return new Blob([await content.arrayBuffer()], { type: content.type });
  } catch {
    throw new Error(t("The file cannot be read. Select it again."));
  }
}

/** Return the content type to send: the server reads the content, whatever its name says. */
function sentType(type: string): string {
  return ["image/jpeg", "image/png", "image/webp"].includes(type)
    ? type
    : "application/octet-stream";
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
