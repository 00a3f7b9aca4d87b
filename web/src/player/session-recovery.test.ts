// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EngineEvents } from "./engine.ts";

const { opened } = vi.hoisted(() => ({ opened: [] as EngineEvents[] }));

vi.mock("./hls-engine.ts", () => ({
  dropSpareEngine() {},
  HlsEngine: class {
    constructor(...[, , , , events]: [unknown, unknown, unknown, unknown, EngineEvents]) {
      opened.push(events);
    }
    bufferFully() {}
    close() {}
  },
}));
vi.mock("./sources.ts", async (original) => ({
  ...(await original<typeof import("./sources.ts")>()),
  chooseEngine: () => "hls",
}));

const { PlaybackSession } = await import("./session.ts");

let play: ReturnType<typeof vi.spyOn>;
let session: InstanceType<typeof PlaybackSession>;

const happens = (...names: string[]) => {
  for (const name of names) session.video.dispatchEvent(new Event(name));
};
const recover = () => {
  play.mockClear();
  opened.at(-1)?.onRecovered();
};

beforeEach(() => {
  play = vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(() => Promise.resolve());
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  const type = "application/vnd.apple.mpegurl";
  session = new PlaybackSession({
    id: 1,
    startAt: 0,
    duration: 60,
    rate: 1,
    quality: "auto",
    audio: "",
    sources: [{ type, url: "/media/1/master.m3u8", label: "自动", height: 0, bandwidth: 0 }],
  });
  session.video.src = "blob:film";
  session.play();
  happens("play", "playing");
});

afterEach(() => session.dispose());

it("plays on where the element was taken again after an error", () => {
  recover();
  expect(play).toHaveBeenCalledOnce();
});

it.each(["pause", "ended"])("begins nothing after %s that the visitor did not ask for", (event) => {
  happens(event);
  recover();
  expect(play).not.toHaveBeenCalled();
});

it("begins nothing that has failed", () => {
  opened.at(-1)?.onFailure("decode");
  recover();
  expect(session.state.phase).toBe("failed");
  expect(play).not.toHaveBeenCalled();
});
