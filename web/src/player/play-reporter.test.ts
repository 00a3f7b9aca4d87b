import { beforeEach, expect, it } from "vitest";
import type { PlayReport } from "@/shared/api/play-events.ts";
import { PlayReporter } from "./play-reporter.ts";

let now = 0;
let reports: PlayReport[] = [];
const state = {
  started: false,
  playing: false,
  waiting: false,
  time: 0,
  duration: 100,
  failure: null,
};

function reporter() {
  return new PlayReporter(
    (report) => reports.push(report),
    () => now,
  );
}

/** Watch from one second to another, four notes a second. */
function watch(into: PlayReporter, from: number, to: number, duration = 100) {
  for (let time = from; time <= to; time += 0.25)
    into.note({ ...state, started: true, playing: true, time, duration });
}

beforeEach(() => {
  now = 1000;
  reports = [];
});

it("reports the start once, with the time from the wish to the first picture", () => {
  const into = reporter();
  into.note(state);
  now = 1240;
  into.note({ ...state, started: true });
  into.note({ ...state, started: true, playing: true });
  expect(reports).toEqual([{ event: "start", waitMs: 240 }]);
});

it("does not count the time in which the browser waited for a press", () => {
  const into = reporter();
  into.note({ ...state, refused: true });
  now = 60_000;
  into.note({ ...state, refused: false });
  now = 60_300;
  into.note({ ...state, started: true });
  expect(reports).toEqual([{ event: "start", waitMs: 300 }]);
});

it("counts a view after 30 seconds, once", () => {
  const into = reporter();
  watch(into, 0, 29.75);
  expect(reports).toHaveLength(1);
  watch(into, 29.75, 99);
  expect(reports.slice(1)).toEqual([{ event: "view" }]);
});

it("counts a view of a short video after three quarters", () => {
  const into = reporter();
  watch(into, 0, 7.25, 10);
  expect(reports).toHaveLength(1);
  watch(into, 7.25, 7.5, 10);
  expect(reports[1]).toEqual({ event: "view" });
});

it("does not take a seek for watching", () => {
  const into = reporter();
  watch(into, 0, 5);
  watch(into, 60, 70);
  watch(into, 20, 25);
  expect(reports).toHaveLength(1);
});

it("reports each stall after the start and each failure", () => {
  const into = reporter();
  into.note({ ...state, waiting: true });
  expect(reports).toEqual([]);
  into.note({ ...state, started: true });
  for (const waiting of [true, true, false, true]) into.note({ ...state, started: true, waiting });
  const failure = { reason: "network", at: 3 } as const;
  into.note({ ...state, started: true, failure });
  into.note({ ...state, started: true, failure });
  expect(reports.map(({ event }) => event)).toEqual(["start", "stall", "stall", "error"]);
});
