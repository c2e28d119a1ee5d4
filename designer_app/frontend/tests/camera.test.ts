/** State of the page Camera: recording, check marks, retries, and the live loop. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { reasonOf } from "../src/browser/camera";
import { createApi } from "../src/api/client";
import type { LivePrediction, RecordingAnswer, TrainingProgress } from "../src/api/types.gen";
import { HoldRecorder, RATE } from "../src/store/holdRecorder";
import { LiveLoop, type LiveState, percentile } from "../src/store/liveLoop";
import {
  isTrainable,
  mergedClasses,
  newPictureId,
  numStored,
  type ShownClass,
  withPicture,
  withStored,
} from "../src/store/recordedClasses";
import { RecordingPage } from "../src/store/recording";

const CUP = "0000000000000001";
const PEN = "0000000000000002";
const LIMITS = {
  classes: 200,
  pictures: 5000,
  class_name: 60,
  picture_bytes: 100,
  picture_pixels: 1000,
};

/** The part of the server that stores pictures: in memory, refusing or away as a test wants it. */
class FakeServer {
  readonly stored = new Map<string, string[]>([
    [CUP, []],
    [PEN, []],
  ]);
  status = 200;
  isAway = false;
  run: string | null = null;
  /** The answer to Train is lost. */
  isTrainLost = false;
  readonly requests: string[] = [];
  training: TrainingProgress[] = [];

  readonly fetch: typeof fetch = async (input, init) => {
    const path = String(input).replace(/^\/api/, "");
    const method = init?.method ?? "GET";
    this.requests.push(`${method} ${path}`);
    if (this.isAway) throw new TypeError("Failed to fetch");
    const picture = /classes\/(\w+)\/pictures\/(\w+)$/.exec(path);
    if (method === "PUT" && picture) return this.put(picture[1] ?? "", picture[2] ?? "");
    if (method === "DELETE" && picture) return this.remove(picture[1] ?? "", picture[2] ?? "");
    if (path === "/recordings" && method === "GET") {
      return Response.json({ recordings: [{ name: "pets", classes: 2, pictures: 0 }] });
    }
    if (path.endsWith("/train")) {
      this.run = "r";
      if (this.isTrainLost) throw new TypeError("Failed to fetch");
      return Response.json({ source: "dataset:pets@1", version: 1, pipeline_id: "p", run_id: "r" });
    }
    if (path.endsWith("/training")) return Response.json(this.training.shift());
    return Response.json(this.answer());
  };

  answer(): RecordingAnswer {
    const classes = [...this.stored].map(([id, pictures]) => ({
      id,
      name: id === CUP ? "Cup" : "Pen",
      pictures,
    }));
    const saved = { version: 0, is_saved: false, pipeline_id: null, run_id: this.run };
    return { name: "pets", classes, ...saved, limits: LIMITS };
  }

  private put(category: string, id: string): Response {
    if (this.status !== 200) {
      const error = { code: "disk_full", message: "The disk is full.", cure: "Free some space." };
      return Response.json({ error }, { status: this.status });
    }
    this.stored.get(category)?.push(id);
    return Response.json({ id, class_id: category });
  }

  private remove(category: string, id: string): Response {
    const left = (this.stored.get(category) ?? []).filter((one) => one !== id);
    this.stored.set(category, left);
    return Response.json({ id, deleted: true });
  }
}

async function opened(server: FakeServer): Promise<RecordingPage> {
  const api = createApi({ base: "/api", token: "t", fetch: server.fetch });
  const page = new RecordingPage(api, 1);
  await page.open("");
  return page;
}

const picture = (): Blob => new Blob(["x"], { type: "image/jpeg" });
const classOf = (page: RecordingPage, id: string): ShownClass => {
  const category = page.store.getState().classes.find((one) => one.id === id);
  if (!category) throw new Error(`No class ${id}.`);
  return category;
};

describe("pictures", () => {
  test("have a check mark only once the server has stored them", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    page.addPicture(CUP, picture());
    expect(classOf(page, CUP).pictures.map(({ stored }) => stored)).toEqual([false]);
    await vi.waitFor(() => expect(numStored(classOf(page, CUP))).toBe(1));
    expect(server.stored.get(CUP)).toEqual(classOf(page, CUP).pictures.map(({ id }) => id));
  });

  test("wait while the server is away, and are sent again", async () => {
    vi.useFakeTimers();
    const server = new FakeServer();
    const page = await opened(server);
    server.isAway = true;
    for (let count = 0; count < 5; count += 1) page.addPicture(CUP, picture());
    await vi.advanceTimersByTimeAsync(4000);
    expect(numStored(classOf(page, CUP))).toBe(0);
    expect(page.store.getState().notice?.text).toContain("sent again");
    server.isAway = false;
    await vi.advanceTimersByTimeAsync(4000);
    expect(numStored(classOf(page, CUP))).toBe(5);
    expect(new Set(server.stored.get(CUP)).size).toBe(5);
    expect(page.store.getState().notice).toBeNull();
  });

  test("that a full disk refuses are dropped with its message, and recording stops", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    page.setView(() => Promise.resolve(picture()));
    server.status = 507;
    page.recorder.start(CUP);
    await vi.waitFor(() => expect(page.store.getState().notice).not.toBeNull());
    expect(page.store.getState().notice).toMatchObject({
      text: "The disk is full. Free some space.",
      isError: true,
    });
    expect(page.store.getState().recordingClass).toBeNull();
    await vi.waitFor(() => expect(classOf(page, CUP).pictures).toEqual([]));
  });

  test("of other tabs appear, and those on their way stay", () => {
    const mine = withPicture([{ id: CUP, name: "Cup", pictures: [] }], CUP, {
      id: "b",
      stored: false,
    });
    const merged = mergedClasses(mine, [
      { id: CUP, name: "Mug", pictures: ["a"] },
      { id: PEN, name: "Pen", pictures: [] },
    ]);
    expect(merged[0]).toEqual({
      id: CUP,
      name: "Mug",
      pictures: [
        { id: "a", stored: true },
        { id: "b", stored: false },
      ],
    });
    expect(merged[1]?.name).toBe("Pen");
    const acknowledged = mergedClasses(withStored(merged, CUP, "b"), [
      { id: CUP, name: "Mug", pictures: ["a", "b"] },
    ]);
    expect(acknowledged.map(numStored)).toEqual([2]);
  });

  test("are deleted, and the notice can undo it", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    page.addPicture(CUP, picture());
    await vi.waitFor(() => expect(numStored(classOf(page, CUP))).toBe(1));
    const id = classOf(page, CUP).pictures[0]?.id ?? "";
    await page.removePicture(CUP, id);
    expect(classOf(page, CUP).pictures).toEqual([]);
    await page.undo();
    expect(server.requests).toContain(
      `POST /recordings/pets/classes/${CUP}/pictures/${id}/restore`,
    );
  });

  test("from files are sent as they are, but for those that are too large", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    page.addFiles(CUP, [
      new File(["small"], "small.heic", { type: "image/heic" }),
      new File(["x".repeat(101)], "large.png", { type: "image/png" }),
    ]);
    expect(page.store.getState().notice?.text).toContain("large.png");
    await vi.waitFor(() => expect(numStored(classOf(page, CUP))).toBe(1));
  });

  test("of a folder or a file that is gone are refused, and the next ones are sent", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    const gone = new File(["x"], "folder");
    gone.slice = () =>
      Object.assign(new Blob(["x"]), { arrayBuffer: () => Promise.reject(new Error("NotFound")) });
    page.addFiles(CUP, [gone, new File(["y"], "next.png", { type: "image/png" })]);
    await vi.waitFor(() => expect(numStored(classOf(page, CUP))).toBe(1));
    expect(classOf(page, CUP).pictures).toHaveLength(1);
    expect(page.store.getState().notice?.text).toContain("folder: The file cannot be read.");
  });

  test("that are refused are counted in one message", async () => {
    const server = new FakeServer();
    const page = await opened(server);
    server.status = 422;
    page.addFiles(
      CUP,
      [1, 2, 3].map((number) => new File(["x"], `${number}.txt`)),
    );
    await vi.waitFor(() =>
      expect(page.store.getState().notice?.text).toMatch(/^1\.txt and 2 other files: /),
    );
    expect(classOf(page, CUP).pictures).toEqual([]);
  });

  test("have ids that sort by time and differ in each tab", () => {
    const ids = [newPictureId(1_700_000_000_000), newPictureId(1_700_000_000_001)];
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
    expect(newPictureId(5)).not.toBe(newPictureId(5));
  });
});

describe("recording", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function recorder(waiting = (): number => 0): { made: string[]; hold: HoldRecorder } {
    const made: string[] = [];
    const hold = new HoldRecorder({
      grab: () => Promise.resolve(picture()),
      add: (classId) => made.push(classId),
      waiting,
      changed: () => undefined,
    });
    return { made, hold };
  }

  test("takes several pictures a second until the button is released", async () => {
    const { made, hold } = recorder();
    hold.start(CUP);
    await vi.advanceTimersByTimeAsync(2000);
    hold.stop();
    expect(RATE).toBeGreaterThanOrEqual(4);
    expect(RATE).toBeLessThanOrEqual(8);
    expect(made.length).toBeGreaterThanOrEqual(2 * RATE);
    expect(made.length).toBeLessThanOrEqual(2 * RATE + 1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(made.length).toBeLessThanOrEqual(2 * RATE + 1);
  });

  test("takes one picture even if the button is tapped", async () => {
    const { made, hold } = recorder();
    hold.start(CUP);
    hold.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(made).toEqual([CUP]);
  });

  test("goes on with another class, and pauses while too many pictures wait", async () => {
    let waiting = 0;
    const { made, hold } = recorder(() => waiting);
    hold.start(CUP);
    await vi.advanceTimersByTimeAsync(10);
    hold.start(PEN);
    await vi.advanceTimersByTimeAsync(10);
    expect(made).toEqual([CUP, PEN]);
    waiting = 1000;
    await vi.advanceTimersByTimeAsync(3000);
    expect(made).toEqual([CUP, PEN]);
    hold.stop();
  });
});

test.each([false, true])("a training is followed to its end (answer lost: %s)", async (lost) => {
  const server = new FakeServer();
  server.isTrainLost = lost;
  const page = await opened(server);
  const progress: TrainingProgress = {
    run_id: "r",
    status: "running",
    is_finished: false,
    num_done: 1,
    num_steps: 9,
    current: "Train",
    seconds: null,
    result: null,
    message: null,
  };
  const result = { accuracy: 0.9, images: 10, low: 0.6, high: 0.98 };
  const ended = { ...progress, status: "completed", is_finished: true, result };
  server.training = [progress, progress, ended];
  await page.train();
  expect(page.store.getState().training?.result).toEqual(result);
  expect(page.store.getState().liveRun).toBe("r");
});

test("a training needs two classes with pictures", () => {
  const of = (count: number): ShownClass => ({
    id: CUP,
    name: "Cup",
    pictures: Array.from({ length: count }, (_, id) => ({ id: String(id), stored: true })),
  });
  expect(isTrainable([of(5)])).toBe(false);
  expect(isTrainable([of(5), of(1)])).toBe(false);
  expect(isTrainable([of(2), of(2), of(0)])).toBe(true);
});

describe("live", () => {
  const prediction = (skipped = false): LivePrediction => ({
    classes: [{ name: "Cup", probability: 1 }],
    overlay: null,
    milliseconds: 20,
    skipped,
  });

  /** Run the loop on a simulated clock until it has shown so many states. */
  async function run(
    predict: (frame: number) => Promise<LivePrediction>,
    states: number,
    millisecondsEach = 50,
  ): Promise<{ shown: LiveState[]; most: number; frames: number }> {
    const shown: LiveState[] = [];
    let [time, frames, onTheWay, most] = [0, 0, 0, 0];
    const loop = new LiveLoop({
      grab: () => Promise.resolve(new Blob([String((frames += 1))])),
      predict: async () => {
        onTheWay += 1;
        most = Math.max(most, onTheWay);
        time += frames === 1 ? 5000 : millisecondsEach;
        const made = await predict(frames).finally(() => (onTheWay -= 1));
        return made;
      },
      show: (state) => {
        shown.push(state);
        if (shown.length === states) loop.stop();
      },
      now: () => time,
      wait: (milliseconds) => {
        time += milliseconds;
        return Promise.resolve();
      },
    });
    await loop.start();
    return { shown, most, frames };
  }

  test("sends one picture at a time and tells rate and 95th percentile", async () => {
    const { shown, most } = await run(() => Promise.resolve(prediction()), 40);
    expect(most).toBe(1);
    expect(shown.at(-1)?.framesPerSecond).toBeCloseTo(20, 5);
    expect(shown.at(-1)?.p95).toBe(50);
    expect(await shown.at(-1)?.frame?.text()).toBe("40");
  });

  test("passes over skipped pictures, and shows an error and recovers", async () => {
    const skipping = await run((frame) => Promise.resolve(prediction(frame % 2 === 0)), 3);
    expect(skipping.frames).toBe(5);
    const failing = await run(
      (frame) => (frame === 1 ? Promise.reject(new Error("away")) : Promise.resolve(prediction())),
      2,
    );
    expect(failing.shown.map(({ failed }) => failed instanceof Error)).toEqual([true, false]);
  });

  test("the percentile is the value that so many are below", () => {
    const values = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(percentile(values, 0.95)).toBe(95);
    expect(percentile([7], 0.95)).toBe(7);
    expect(percentile([], 0.95)).toBeNull();
  });
});

test("each reason why there is no camera comes with its fix", () => {
  const reasons = ["NotAllowedError", "NotFoundError", "NotReadableError", "TypeError"].map(
    (name) => reasonOf(new DOMException("", name)),
  );
  expect(new Set(reasons).size).toBe(4);
  expect(reasons.every((text) => /start/i.test(text))).toBe(true);
});

afterEach(() => vi.useRealTimers());
