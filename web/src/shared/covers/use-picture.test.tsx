// @vitest-environment happy-dom
import { act, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import * as avif from "./avif.ts";
import { openedCovers } from "./cover-store.ts";
import { usePicture } from "./use-picture.ts";

const PICTURE = { url: "/enc/a.bin", type: "image/avif", jpeg: null, thumb: "" } as never;
/** Longer than any wait for another attempt. */
const LONG = 60_000;

let root: Root;
let acquire: MockInstance<typeof openedCovers.acquire>;
let release: MockInstance<typeof openedCovers.release>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(avif, "supportsAvif").mockResolvedValue(true);
  acquire = vi.spyOn(openedCovers, "acquire").mockRejectedValue(new TypeError("no network"));
  release = vi.spyOn(openedCovers, "release").mockReturnValue();
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.body.firstElementChild as HTMLElement);
});

afterEach(() => {
  act(() => root.unmount());
  vi.mocked(console.warn).mockClear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Shown() {
  const box = useRef<HTMLElement>(null);
  const state = usePicture(box, PICTURE, { isEager: true, isBypassing: false });
  return <i ref={box}>{state.status === "ready" ? state.src : state.status}</i>;
}

const show = () => act(async () => root.render(<Shown />));
const wait = () => act(() => vi.advanceTimersByTimeAsync(LONG));
const goOnline = () => act(async () => void window.dispatchEvent(new Event("online")));
const text = () => document.body.textContent;

it("heals a picture that failed by one more attempt after a while", async () => {
  await show();
  expect(text()).toBe("failed");
  acquire.mockResolvedValue("blob:a");
  await wait();
  expect(text()).toBe("blob:a");
  expect(acquire).toHaveBeenCalledTimes(2);
});

it("heals it when the network is back, and asks at no other time", async () => {
  await show();
  await wait();
  await wait();
  expect(acquire).toHaveBeenCalledTimes(2);
  await goOnline();
  await wait();
  expect(acquire).toHaveBeenCalledTimes(3);
  expect(text()).toBe("failed");
  acquire.mockResolvedValue("blob:a");
  await goOnline();
  await goOnline();
  expect(text()).toBe("blob:a");
  expect(acquire).toHaveBeenCalledTimes(4);
});

it("does not wait any longer where the network is back at once", async () => {
  await show();
  acquire.mockResolvedValue("blob:a");
  await goOnline();
  expect(text()).toBe("blob:a");
  await wait();
  expect(acquire).toHaveBeenCalledTimes(2);
});

it("asks for nothing once it is gone, and has given back what it got", async () => {
  await show();
  act(() => root.render(null));
  await wait();
  await goOnline();
  expect(acquire).toHaveBeenCalledTimes(1);
  expect(release).not.toHaveBeenCalled();
  acquire.mockResolvedValue("blob:a");
  await show();
  act(() => root.render(null));
  expect(release).toHaveBeenCalledExactlyOnceWith("/enc/a.bin");
});
