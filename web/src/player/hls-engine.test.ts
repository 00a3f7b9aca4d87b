// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";

const { made } = vi.hoisted(() => ({ made: [] as Made[] }));

interface Made {
  readonly heard: Map<string, () => void>;
  readonly recoverMediaError: () => void;
}

/** Stands for the library: it remembers who listens, and decodes nothing. */
vi.mock("hls.js/light", () => ({
  default: class {
    static readonly Events = {
      ERROR: "error",
      MEDIA_ATTACHED: "attached",
      MEDIA_DETACHED: "detached",
    };
    static readonly ErrorTypes = { MEDIA_ERROR: "media", NETWORK_ERROR: "network" };
    static readonly DefaultConfig = { loader: Object };
    readonly config = {};
    readonly levels = [];
    readonly heard = new Map<string, (...given: unknown[]) => void>();
    constructor() {
      made.push(this as never);
    }
    on(event: string, listener: () => void) {
      this.heard.set(event, listener);
    }
    once(event: string, listener: () => void) {
      this.heard.set(event, listener);
    }
    loadSource() {}
    attachMedia() {}
    recoverMediaError() {
      this.heard.get("detached")?.();
      this.heard.get("attached")?.();
    }
    destroy() {}
  },
}));

const { HlsEngine, loadHls } = await import("./hls-engine.ts");

it("plays on after it has recovered from an error: the element was stopped without a word", async () => {
  await loadHls();
  const events = { onAttached: vi.fn(), onHeight: vi.fn(), onFailure: vi.fn() };
  const engine = new HlsEngine(document.createElement("video"), "/v.m3u8", 0, "auto", events);
  await vi.waitFor(() => expect(events.onAttached).toHaveBeenCalledTimes(1));
  const [hls] = made;
  const heard = hls?.heard as Map<string, (...given: unknown[]) => void>;
  // The library recovers from some errors by itself.
  hls?.recoverMediaError();
  expect(events.onAttached).toHaveBeenCalledTimes(2);
  heard.get("error")?.("error", { type: "media", fatal: true });
  expect(events.onFailure).not.toHaveBeenCalled();
  expect(events.onAttached).toHaveBeenCalledTimes(3);
  // Once more so soon: recovering does not help.
  heard.get("error")?.("error", { type: "media", fatal: true });
  expect(events.onFailure).toHaveBeenCalledWith("decode");
  engine.close();
});
