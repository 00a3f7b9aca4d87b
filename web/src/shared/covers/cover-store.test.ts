// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import * as avif from "./avif.ts";
import { openedCovers, warmCovers } from "./cover-store.ts";

const PICTURE = { url: "/enc/a.bin", type: "image/avif", jpeg: null, thumb: "" };

it("uses what the document preloaded, also where a worker decrypts it", async () => {
  vi.spyOn(avif, "supportsAvif").mockResolvedValue(true);
  const fetched = vi.fn(() => Promise.reject(new TypeError("no network")));
  vi.stubGlobal("fetch", fetched);
  const opened = vi.spyOn(openedCovers, "acquire").mockRejectedValue(new Error("no network"));
  Object.assign(navigator, { serviceWorker: { controller: { state: "activated" } } });
  await warmCovers([PICTURE as never]);
  expect(fetched.mock.calls).toEqual([["/enc/a.bin"]]);
  expect(opened).not.toHaveBeenCalled();
  Object.assign(navigator, { serviceWorker: { controller: null } });
  await warmCovers([PICTURE as never]);
  expect(opened).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
