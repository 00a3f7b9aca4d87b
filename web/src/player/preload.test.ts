// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import * as engine from "./hls-engine.ts";
import { preloadPlayer } from "./preload.ts";
import * as sources from "./sources.ts";

it("loads the light player where videos are listed, not on the page of one", () => {
  vi.spyOn(sources, "chooseEngine").mockReturnValue("hls");
  const load = vi.spyOn(engine, "loadHls").mockReturnValue(new Promise(() => {}));
  const gate = { prepare: () => {}, isOpen: () => true };
  window.history.replaceState(null, "", "/playVideo?id=7");
  preloadPlayer(gate);
  expect(load).not.toHaveBeenCalled();
  window.history.replaceState(null, "", "/home");
  preloadPlayer(gate);
  expect(load).toHaveBeenCalledOnce();
});
