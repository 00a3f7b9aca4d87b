import { beforeEach, describe, expect, it, vi } from "vitest";
import { type GestureAction, sideAt, TouchGestures } from "./gestures.ts";

const WIDTH = 390;
const LEFT = 40;
const MIDDLE = 195;
const RIGHT = 350;

let actions: GestureAction[];
let gestures: TouchGestures;
let life: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  actions = [];
  life = new AbortController();
  gestures = new TouchGestures((action) => actions.push(action), life.signal);
  return () => vi.useRealTimers();
});

const at = (x: number, y = 100, pointer = 1) => ({ pointer, x, y, width: WIDTH, at: Date.now() });
function tap(x: number): void {
  gestures.down(at(x));
  vi.advanceTimersByTime(20);
  gestures.up(at(x));
}
const kinds = () => actions.map((action) => action.type);
const totals = () =>
  actions.flatMap((action) => (action.type === "seek" ? [[action.side, action.total]] : []));

describe("single tap", () => {
  it("answers at once in the middle", () => {
    tap(MIDDLE);
    expect(kinds()).toEqual(["toggle-controls"]);
  });

  it("waits 220 ms on an outer third", () => {
    tap(RIGHT);
    vi.advanceTimersByTime(219);
    expect(kinds()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(kinds()).toEqual(["toggle-controls"]);
  });

  it("does not answer a finger that scrolls", () => {
    gestures.down(at(MIDDLE));
    gestures.move(at(MIDDLE, 130));
    gestures.up(at(MIDDLE, 130));
    vi.advanceTimersByTime(1000);
    expect(kinds()).toEqual([]);
  });

  it("ignores two fingers", () => {
    gestures.down(at(MIDDLE, 100, 1));
    gestures.down(at(RIGHT, 100, 2));
    gestures.up(at(MIDDLE, 100, 1));
    gestures.up(at(RIGHT, 100, 2));
    vi.advanceTimersByTime(1000);
    expect(kinds()).toEqual([]);
  });
});

describe("double tap", () => {
  it("seeks forward on the right and back on the left, without touching the controls", () => {
    tap(RIGHT);
    vi.advanceTimersByTime(100);
    tap(RIGHT);
    vi.advanceTimersByTime(2000);
    tap(LEFT);
    vi.advanceTimersByTime(100);
    tap(LEFT);
    vi.advanceTimersByTime(2000);
    expect(kinds()).toEqual(["seek", "seek"]);
    expect(totals()).toEqual([
      ["forward", 10],
      ["back", 10],
    ]);
  });

  it("adds 10 s for every further tap within 600 ms", () => {
    tap(RIGHT);
    tap(RIGHT);
    vi.advanceTimersByTime(500);
    tap(RIGHT);
    vi.advanceTimersByTime(500);
    tap(RIGHT);
    expect(totals()).toEqual([
      ["forward", 10],
      ["forward", 20],
      ["forward", 30],
    ]);
  });

  it("ends the streak after 600 ms and on the other side", () => {
    tap(RIGHT);
    tap(RIGHT);
    vi.advanceTimersByTime(601);
    tap(RIGHT);
    expect(totals()).toHaveLength(1);
    vi.advanceTimersByTime(400);
    expect(kinds()).toEqual(["seek", "toggle-controls"]);
    tap(RIGHT);
    tap(RIGHT);
    tap(LEFT);
    tap(LEFT);
    expect(totals().at(-1)).toEqual(["back", 10]);
  });

  it("still counts when the second tap comes just after the first was answered", () => {
    tap(RIGHT);
    vi.advanceTimersByTime(240);
    tap(RIGHT);
    expect(kinds()).toEqual(["toggle-controls", "seek"]);
  });

  it("does not join taps on different thirds", () => {
    tap(LEFT);
    tap(RIGHT);
    vi.advanceTimersByTime(1000);
    expect(kinds()).toEqual(["toggle-controls"]);
  });
});

describe("hold", () => {
  it("starts after 350 ms and ends on release, without a tap", () => {
    gestures.down(at(RIGHT));
    vi.advanceTimersByTime(349);
    expect(kinds()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(kinds()).toEqual(["hold-start"]);
    gestures.move(at(RIGHT - 60));
    gestures.up(at(RIGHT - 60));
    vi.advanceTimersByTime(1000);
    expect(kinds()).toEqual(["hold-start", "hold-end"]);
  });

  it("ends when the browser takes the finger over, and when the player goes away", () => {
    gestures.down(at(MIDDLE));
    vi.advanceTimersByTime(400);
    gestures.cancel();
    gestures.down(at(MIDDLE));
    vi.advanceTimersByTime(400);
    life.abort();
    expect(kinds()).toEqual(["hold-start", "hold-end", "hold-start", "hold-end"]);
  });
});

describe("sideAt", () => {
  it("splits the picture into thirds", () => {
    expect([
      sideAt(0, 300),
      sideAt(99, 300),
      sideAt(100, 300),
      sideAt(200, 300),
      sideAt(201, 300),
    ]).toEqual(["back", "back", null, null, "forward"]);
  });
});
