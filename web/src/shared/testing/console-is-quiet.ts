import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

/** A test whose code complains on the console fails: React's warnings appear only there. */
let complaints: MockInstance<typeof console.error>[] = [];

beforeEach(() => {
  complaints = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
});

afterEach(() => {
  // oxlint-disable-next-line vitest/no-standalone-expect -- runs after each test, and fails it
  for (const spy of complaints) expect(spy.mock.calls).toEqual([]);
});
