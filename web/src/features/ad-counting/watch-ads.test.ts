// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";

const call = vi.fn<(method: string, path: string, options: object) => Promise<unknown>>(() =>
  Promise.resolve(),
);
vi.mock("@/shared/api/client.ts", () => ({ call }));

let observed: Element[] = [];
let listening: MockInstance<typeof document.addEventListener>;
let report: (entries: { target: Element; isIntersecting: boolean }[]) => void = () => {};

class Observer {
  constructor(callback: typeof report) {
    report = callback;
  }
  observe(element: Element): void {
    observed.push(element);
  }
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("IntersectionObserver", Observer);
  call.mockClear();
  observed = [];
  document.body.innerHTML = '<a data-ad="5"><b>广告</b></a><a data-ad="6"></a><a href="/x">x</a>';
  listening = vi.spyOn(document, "addEventListener");
  const { watchAds } = await import("./watch-ads.ts");
  watchAds();
  vi.advanceTimersByTime(1000);
});

afterEach(() => {
  // Every test watches anew.
  for (const [kind, listener, options] of listening.mock.calls)
    document.removeEventListener(kind, listener, options);
  listening.mockRestore();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const body = () => call.mock.calls.map(([method, path, options]) => ({ method, path, ...options }));

it("counts what stays in view for a second, once", () => {
  expect(observed).toHaveLength(2);
  const [first, second] = observed as [Element, Element];
  report([
    { target: first, isIntersecting: true },
    { target: second, isIntersecting: true },
  ]);
  vi.advanceTimersByTime(500);
  report([{ target: second, isIntersecting: false }]);
  vi.advanceTimersByTime(600);
  report([{ target: first, isIntersecting: true }]);
  vi.advanceTimersByTime(20_000);
  expect(body()).toEqual([
    { method: "POST", path: "/api/ad/event", body: { views: [5], clicks: [] } },
  ]);
  expect(observed).toHaveLength(2);
});

it("counts what is followed at once, and nothing else", () => {
  document.querySelectorAll("a")[2]?.click();
  expect(call).not.toHaveBeenCalled();
  document.querySelector("b")?.click();
  expect(body()).toEqual([
    { method: "POST", path: "/api/ad/event", body: { views: [5], clicks: [5] } },
  ]);
});

it("sends no header of the visitor's", () => {
  document.querySelector("b")?.click();
  expect(call.mock.calls[0]?.[2]).not.toHaveProperty("headers");
});
