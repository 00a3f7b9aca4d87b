// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { ArtistGrid } from "./artist-grid.tsx";

/** Twenty letters with one artist each. */
const ARTISTS = Array.from("ABCDEFGHIJKLMNOPQRST", (initial, id) => ({
  id,
  initial,
  name: `${initial}名`,
  videoCount: 1,
  image: { url: "" },
})) as unknown as readonly Artist[];

let root: Root;
let jumped: string[];

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  jumped = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function note(this: Element) {
    jumped.push(this.id);
  });
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.body.firstElementChild as HTMLElement);
  // happy-dom does not know the element `search`.
  const complained = vi.mocked(console.error).mockImplementation(() => {});
  act(() => root.render(<ArtistGrid artists={ARTISTS} />));
  complained.mockClear();
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

const column = () => document.querySelector("nav");

/** A finger on the column of letters, which is 240 px high. */
function touch(type: string, clientY: number): void {
  vi.spyOn(column() as Element, "getBoundingClientRect").mockReturnValue(
    new DOMRect(0, 0, 24, 240),
  );
  const event = new PointerEvent(type, { bubbles: true, clientY });
  act(() => void column()?.dispatchEvent(event));
}

it("jumps to each letter that a finger slides over, once, and tells which one", () => {
  touch("pointermove", 100);
  expect(jumped).toEqual([]);
  touch("pointerdown", 1);
  touch("pointermove", 2);
  touch("pointermove", 13);
  expect(document.querySelector(".letter-held")?.textContent).toBe("B");
  touch("pointermove", 900);
  touch("pointerup", 900);
  touch("pointermove", 1);
  expect(jumped).toEqual(["artists-A", "artists-B", "artists-T"]);
  expect(document.querySelector(".letter-held")).toBeNull();
});

it("does not jump back to the letter where a finger came down that rolled onto the next", () => {
  touch("pointerdown", 11);
  touch("pointermove", 13);
  touch("pointerup", 13);
  const [first] = document.querySelectorAll("nav button");
  const click = () =>
    act(() => void first?.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  click();
  expect(jumped).toEqual(["artists-A", "artists-B"]);
  vi.spyOn(Event.prototype, "timeStamp", "get").mockReturnValue(1e9);
  click();
  expect(jumped).toEqual(["artists-A", "artists-B", "artists-A"]);
});

it("draws letters only where there are many artists to find among", () => {
  expect(document.querySelectorAll("section")).toHaveLength(20);
  const field = document.querySelector("input") as HTMLInputElement;
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "b");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(document.querySelectorAll("a")).toHaveLength(1);
  expect(document.querySelector("section")).toBeNull();
  expect(column()).toBeNull();
});
