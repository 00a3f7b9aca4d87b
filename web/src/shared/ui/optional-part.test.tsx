// @vitest-environment happy-dom
import { act, type ReactNode, Suspense } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { optionalPart } from "./optional-part.ts";

const Part = ({ name }: { readonly name: string }) => <b>{name}</b>;

let root: Root;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.body.firstElementChild as HTMLElement);
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Draws it and lets every attempt to load its code pass. */
async function draw(element: ReactNode): Promise<void> {
  await act(async () => root.render(<Suspense>{element}</Suspense>));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
}

it("tries again when it is drawn anew after its code was lost", async () => {
  const warned = vi.mocked(console.warn).mockImplementation(() => {});
  const load = vi.fn<() => Promise<typeof Part>>().mockRejectedValue(new Error("no network"));
  const onLost = vi.fn();
  const Optional = optionalPart(load, onLost);
  await draw(<Optional name="a" />);
  expect(document.body.textContent).toBe("");
  expect(onLost).toHaveBeenCalledOnce();
  await draw(null);
  load.mockResolvedValue(Part);
  await draw(<Optional name="b" />);
  expect(document.body.textContent).toBe("b");
  expect(onLost).toHaveBeenCalledOnce();
  warned.mockClear();
});

it("loads its code once, and draws it at once from then on", async () => {
  const load = vi.fn(async () => Part);
  const Optional = optionalPart(load);
  await draw(<Optional name="a" />);
  await draw(null);
  act(() => root.render(<Optional name="b" />));
  expect(document.body.textContent).toBe("b");
  expect(load).toHaveBeenCalledOnce();
});
