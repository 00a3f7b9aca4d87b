import { describe, expect, it } from "vitest";
import { type GateEvent, type GateState, passGate } from "./ad-gate.ts";

type Ad = { seconds: number };
const ad: Ad = { seconds: 2 };
const run = (...events: GateEvent<Ad>[]) =>
  events.reduce<GateState<Ad>>((state, event) => passGate(state, event), { phase: "asking" });

describe("passGate", () => {
  it("opens at once without an advertisement", () => {
    expect(run({ type: "no-ad" })).toEqual({ phase: "open" });
  });

  it("counts only from the moment the creative shows, then waits to be closed", () => {
    expect(run({ type: "ad", ad }, { type: "second-passed" })).toEqual({ phase: "loading", ad });
    expect(run({ type: "ad", ad }, { type: "creative-shown" })).toEqual({
      phase: "counting",
      ad,
      left: 2,
    });
    const counted = [{ type: "second-passed" }, { type: "second-passed" }] as const;
    expect(run({ type: "ad", ad }, { type: "creative-shown" }, ...counted)).toEqual({
      phase: "closable",
      ad,
    });
    expect(
      run({ type: "ad", ad }, { type: "creative-shown" }, ...counted, { type: "close" }),
    ).toEqual({
      phase: "open",
    });
  });

  it("cannot be closed early", () => {
    expect(run({ type: "ad", ad }, { type: "creative-shown" }, { type: "close" }).phase).toBe(
      "counting",
    );
  });

  it("fails open when the creative cannot be loaded", () => {
    expect(run({ type: "ad", ad }, { type: "creative-failed" })).toEqual({ phase: "open" });
  });

  it("treats playback beneath the advertisement as a hijack, in every phase of it", () => {
    const shown = [{ type: "ad", ad }, { type: "creative-shown" }] as const;
    expect(run({ type: "ad", ad }, { type: "playing" }).phase).toBe("hijacked");
    expect(run(...shown, { type: "playing" }).phase).toBe("hijacked");
    expect(
      run(...shown, { type: "second-passed" }, { type: "second-passed" }, { type: "playing" })
        .phase,
    ).toBe("hijacked");
    expect(run(...shown, { type: "playing" }, { type: "close" }, { type: "no-ad" }).phase).toBe(
      "hijacked",
    );
  });

  it("leaves ordinary playback alone", () => {
    expect(run({ type: "no-ad" }, { type: "playing" }).phase).toBe("open");
    expect(run({ type: "playing" }).phase).toBe("asking");
  });

  it("gives an advertisement without a time the default of 5 s", () => {
    expect(run({ type: "ad", ad: { seconds: 0 } }, { type: "creative-shown" })).toMatchObject({
      left: 5,
    });
  });
});
