// @vitest-environment happy-dom
import { expect, it, type Mock, vi } from "vitest";

const { made } = vi.hoisted(() => ({ made: [] as Made[] }));

interface Made {
  readonly heard: Map<string, () => void>;
  readonly recoverMediaError: () => void;
  readonly startLoad: Mock;
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
    readonly startLoad = vi.fn();
    recoverMediaError() {
      this.heard.get("detached")?.();
      this.heard.get("attached")?.();
    }
    destroy() {}
  },
}));

const { HlsEngine, loadHls } = await import("./hls-engine.ts");

it("says that it has recovered from an error, and loads on from there", async () => {
  await loadHls();
  const events = {
    onAttached: vi.fn(),
    onRecovered: vi.fn(),
    onHeight: vi.fn(),
    onFailure: vi.fn(),
  };
  const video = document.createElement("video");
  const engine = new HlsEngine(video, "/v.m3u8", 600, "auto", events);
  await vi.waitFor(() => expect(events.onAttached).toHaveBeenCalledOnce());
  const [hls] = made;
  const heard = hls?.heard as Map<string, (...given: unknown[]) => void>;
  // The library recovers from some errors by itself.
  hls?.recoverMediaError();
  expect(events.onRecovered).toHaveBeenCalledTimes(1);
  Object.defineProperty(video, "currentTime", { value: 2400 });
  heard.get("error")?.("error", { type: "media", fatal: true });
  expect(events.onFailure).not.toHaveBeenCalled();
  expect(events.onRecovered).toHaveBeenCalledTimes(2);
  expect(hls?.startLoad.mock.calls).toEqual([[2400]]);
  // Once more so soon: recovering does not help.
  heard.get("error")?.("error", { type: "media", fatal: true });
  expect(events.onFailure).toHaveBeenCalledWith("decode");
  expect(events.onAttached).toHaveBeenCalledOnce();
  engine.close();
});
