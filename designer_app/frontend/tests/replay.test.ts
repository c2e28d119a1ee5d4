/** Replays: at any time, however it was reached, the state equals that of a live run. */

import fc from "fast-check";
import { expect, test } from "vitest";

import { createApi } from "../src/api/client";
import type { ReplayAnswer } from "../src/api/types.gen";
import { NEW_RUN, fold } from "../src/graph/runState";
import type { RunEvent } from "../src/graph/types";
import { commandOf, isEnabled, perform } from "../src/commands/registry";
import { Editor } from "../src/store/editor";
import { ReplayPlayer, type Pulse } from "../src/store/replayPlayer";
import { logAt, lossesAfter, nodeOfInterest } from "../src/store/replayRecording";
import { Timeline, playingTimes } from "../src/store/replayTimeline";
import { CATALOG as catalog, pipeline } from "./cases";

const NODES = ["one", "two", "sum"];
const document = pipeline(["one:constant", "two:constant", "sum:add"], []);

const steps = fc.record({
  node: fc.constantFrom(...NODES),
  kind: fc.constantFrom(
    "StepQueued",
    "StepStarted",
    "StepRunning",
    "StepProgress",
    "StepWarning",
    "StepSummary",
    "StepFinished",
    "StepReused",
    "StepFailed",
    "MetricLogged",
  ),
  value: fc.integer({ min: 0, max: 9 }),
  wait: fc.double({ min: 0, max: 3, noNaN: true }),
});
const runs = fc.array(steps, { maxLength: 400 }).map((drawn): readonly RunEvent[] => {
  let time = 1000;
  const begun: RunEvent = { id: 1, kind: "RunQueued", node: null, data: { nodes: NODES }, time };
  const rest = drawn.map(({ node, kind, value, wait }, place): RunEvent => {
    time += wait;
    const data = {
      key: "k",
      attempt: value,
      done: value,
      total: 9,
      unit: "images",
      rank: value % 2,
      loss: value,
      message: "m",
      text: `t${value}`,
      artifact_id: "a",
      name: "loss",
      step: value,
      value,
      problem: null,
    };
    return { id: place + 2, kind, node, data, time };
  });
  return [begun, ...rest];
});

function folded(view: ReturnType<Timeline["viewAfter"]>): unknown {
  return { ...view.state, steps: view.steps };
}

test("the state at a time is the fold of the events up to it, whatever was shown before", () => {
  fc.assert(
    fc.property(runs, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (events, seeks) => {
      const timeline = new Timeline("r", document, events);
      for (const share of [...seeks, 1, 0]) {
        const moment = share * timeline.length;
        const count = timeline.countAt(moment);
        expect(count).toBe(events.filter((event) => event.time - 1000 <= moment).length);
        expect(folded(timeline.viewAfter(count))).toEqual(fold(events.slice(0, count)));
      }
    }),
    { numRuns: 60 },
  );
});

test("one more event changes one node only", () => {
  fc.assert(
    fc.property(runs, (events) => {
      const timeline = new Timeline("r", document, events);
      for (let count = 1; count < events.length; count += 1) {
        const before = timeline.viewAfter(count);
        const after = timeline.viewAfter(count + 1);
        const touched = events[count]?.node;
        for (const node of NODES) {
          if (node !== touched) expect(after.steps[node]).toBe(before.steps[node]);
        }
      }
    }),
    { numRuns: 20 },
  );
});

test("the time between an end and a resumption is skipped", () => {
  const at = (kind: string, time: number): RunEvent => ({
    id: 1,
    kind,
    node: null,
    data: {},
    time,
  });
  const events = [at("RunQueued", 50), at("RunFinished", 60), at("RunQueued", 9060)];
  expect(playingTimes([...events, at("RunFinished", 9062)])).toEqual([0, 10, 11, 13]);
  expect(playingTimes([])).toEqual([]);
  expect(playingTimes([at("a", 50), at("b", 49.9), at("c", 51)])).toEqual([0, 0, 1]);
});

/** A clock that a test advances. */
class Hand implements Pulse {
  private waiting: ((milliseconds: number) => void) | null = null;
  private now = 0;
  request(call: (milliseconds: number) => void): number {
    this.waiting = call;
    return 1;
  }
  cancel(): void {
    this.waiting = null;
  }
  turn(milliseconds: number): void {
    this.now += milliseconds;
    const call = this.waiting;
    this.waiting = null;
    call?.(this.now);
  }
}

function event(node: string | null, kind: string, time: number, data = {}): RunEvent {
  return { id: null, kind, node, data, time };
}

const EVENTS = [
  event(null, "RunQueued", 100, { nodes: NODES }),
  event("one", "StepStarted", 101, { attempt: 1 }),
  event("one", "StepProgress", 102, { done: 1, total: 2, unit: "images", loss: 0.5 }),
  event("one", "StepFinished", 104, { artifact_id: "a" }),
  event("sum", "StepStarted", 105, { attempt: 1 }),
  event("sum", "StepFailed", 110, { problem: null }),
  event(null, "RunFinished", 110, { status: "failed", problem: null }),
];

const HEADLINE = {
  node: "sum",
  metric: "Overall_Accuracy",
  label: "Accuracy",
  value: 0.98,
  text: "98.0 %",
  higher_is_better: true,
  is_chosen: false,
  details: "",
  outdated_pins: [],
};

function played(): { player: ReplayPlayer; editor: Editor; hand: Hand } {
  const hand = new Hand();
  const api = createApi({ base: "/api", token: "", fetch: () => Promise.reject(new Error()) });
  const editor = new Editor({
    api,
    catalog,
    document,
    revision: "",
    storage: null,
    readOnly: true,
  });
  const recorded = {
    run: { id: "r" },
    document,
    events: EVENTS,
    logs: [],
    previews: [],
    headline: HEADLINE,
  };
  return {
    player: new ReplayPlayer(editor, recorded as unknown as ReplayAnswer, hand),
    editor,
    hand,
  };
}

test("playing follows the clock, stops at the end, and restarts from there", () => {
  const { player, editor, hand } = played();
  expect(player.length).toBe(10);
  player.setSpeed(4);
  player.play();
  hand.turn(0);
  hand.turn(250);
  expect(player.state.time).toBeCloseTo(1);
  expect(editor.state.run?.steps["one"]?.status).toBe("preparing");
  for (let turns = 0; turns < 20; turns += 1) hand.turn(200);
  expect(editor.state.run?.headline).toEqual(HEADLINE);
  expect(player.state).toMatchObject({ time: 10, playing: false });
  expect(editor.state.run?.state.status).toBe("failed");
  player.toggle();
  expect(player.state).toMatchObject({ time: 0, playing: true });
  player.pause();
  expect(editor.state.run?.headline).toBeNull();
  expect(editor.state.run?.steps["one"]?.status).toBe("not started");
});

test("a hidden page misses no event", () => {
  const { player, hand } = played();
  player.play();
  hand.turn(0);
  hand.turn(60_000);
  expect(player.state.time).toBeLessThan(1);
});

test("chapters are the ends of nodes, and skipping goes from one to the next", () => {
  const { player } = played();
  expect(player.chapters.map(({ node, at, status }) => [node, at, status])).toEqual([
    ["one", 4, "completed"],
    ["sum", 10, "failed"],
  ]);
  player.skip(1);
  expect(player.state.time).toBe(4);
  player.skip(1);
  player.skip(-1);
  expect(player.state.time).toBe(4);
  player.skip(-1);
  player.seek(-5);
  expect(player.state.time).toBe(0);
  player.seek(99);
  expect(player.state.time).toBe(10);
});

test("the pane shows the running node, else the last one that ended", () => {
  const { player, editor } = played();
  expect(nodeOfInterest(editor.state.run)).toBeNull();
  player.seek(2);
  expect(nodeOfInterest(editor.state.run)).toBe("one");
  player.seek(4.5);
  expect(nodeOfInterest(editor.state.run)).toBe("one");
  player.seek(6);
  expect(nodeOfInterest(editor.state.run)).toBe("sum");
});

test("losses and logs follow the time", () => {
  expect(lossesAfter(EVENTS, 2).get("one")).toBeUndefined();
  expect(lossesAfter(EVENTS, 3).get("one")).toEqual([0.5]);
  const log = { node: "one", file: "70_driver_log_0.txt", num_bytes: 7, text: "a\nb\nc\nd" };
  const { steps } = fold(EVENTS.slice(0, 3));
  expect(logAt(log, undefined, 1)).toBe("");
  expect(logAt(log, steps["one"], 0.5)).toBe("a\nb");
  expect(logAt(log, fold(EVENTS).steps["one"], 0)).toBe(log.text);
});

test("a frozen pipeline cannot be changed", () => {
  const { editor } = played();
  const label = "Take all away";
  expect(editor.dispatch((before) => ({ ...before, nodes: [] }), { label })).toBe(false);
  expect(editor.state.document).toBe(document);
  editor.select({ nodes: ["one"] });
  for (const id of ["delete", "duplicate", "run", "paste", "import", "resume"]) {
    expect([commandOf(id).id, isEnabled(editor, id)]).toEqual([id, false]);
    expect(perform(editor, id, { node: "one" })).toBe(false);
  }
  expect(isEnabled(editor, "fit-view")).toBe(true);
  expect(NEW_RUN.steps).toEqual({});
});
