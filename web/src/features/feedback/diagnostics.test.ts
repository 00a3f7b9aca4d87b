import { expect, it } from "vitest";
import { stateAtStart } from "@/player/playback-state.ts";
import { collectDiagnostics } from "./diagnostics.ts";

const surroundings = {
  userAgent: "浏览器".repeat(500),
  isOnline: true,
  connection: { effectiveType: "4g", downlink: 1.234, rtt: 50, saveData: false },
  width: 390,
  height: 844,
  density: 3,
  version: "1.0.0",
};
const order = {
  id: 1,
  sources: [],
  startAt: 12.3456,
  duration: 60,
  rate: 1,
  quality: "auto" as const,
  audio: "",
};

it("is flat, short, and names nobody", () => {
  const playback = stateAtStart(order, { volume: 1, muted: false } as HTMLVideoElement);
  const diagnostics = collectDiagnostics(surroundings, playback);
  expect(diagnostics).toMatchObject({
    position: 12.35,
    duration: 60,
    network: "4g",
    screen: "390x844@3",
    failure: null,
  });
  expect(JSON.stringify(diagnostics).length).toBeLessThan(8192);
  for (const value of Object.values(diagnostics))
    expect(["string", "number", "boolean", "object"]).toContain(typeof value);
  expect(Object.keys(diagnostics)).not.toContain("uuid");
});

it("does without a playback and without network information", () => {
  const diagnostics = collectDiagnostics({ ...surroundings, connection: undefined }, null);
  expect(diagnostics.network).toBeNull();
  expect(diagnostics).not.toHaveProperty("position");
});
