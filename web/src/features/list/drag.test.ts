// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DragHandlers, followDrag, velocityOf } from "./drag.ts";

describe("velocityOf", () => {
  it("is the way of the last moves over their time", () => {
    const samples = [
      { dx: 0, dy: 0, at: 0 },
      { dx: 20, dy: 5, at: 50 },
      { dx: 60, dy: 10, at: 100 },
    ];
    expect(velocityOf(samples, 100)).toEqual({ dx: 0.6, dy: 0.1 });
  });

  it("is zero after a rest: old moves do not count", () => {
    const samples = [
      { dx: 0, dy: 0, at: 0 },
      { dx: 90, dy: 0, at: 40 },
    ];
    expect(velocityOf(samples, 400)).toEqual({ dx: 0, dy: 0 });
  });

  it("is zero for a single move", () => {
    expect(velocityOf([{ dx: 9, dy: 9, at: 5 }], 5)).toEqual({ dx: 0, dy: 0 });
  });
});

describe("followDrag", () => {
  let life: AbortController;
  let box: HTMLElement;
  let skeleton: HTMLElement;
  const handlers = { claim: vi.fn(), move: vi.fn(), end: vi.fn() } satisfies DragHandlers;

  beforeEach(() => {
    life = new AbortController();
    document.body.innerHTML = "<div><i></i></div>";
    box = document.body.firstElementChild as HTMLElement;
    skeleton = box.firstElementChild as HTMLElement;
    for (const handler of Object.values(handlers)) handler.mockReset();
    handlers.claim.mockReturnValue("ours");
    followDrag(box, handlers, life.signal);
  });

  afterEach(() => life.abort());

  /** A finger's event on an element; nothing of it is left on the screen when it ends. */
  function touch(target: Element, type: string, identifier: number, x: number): void {
    const finger = { identifier, clientX: x, clientY: 0 };
    const isOver = type === "touchend" || type === "touchcancel";
    const event = new Event(type, { bubbles: true, cancelable: true });
    target.dispatchEvent(
      Object.assign(event, { touches: isOver ? [] : [finger], changedTouches: [finger] }),
    );
  }

  it("tells of each move once, and of the end", () => {
    touch(skeleton, "touchstart", 1, 0);
    touch(skeleton, "touchmove", 1, -30);
    touch(skeleton, "touchend", 1, -40);
    expect(handlers.move.mock.calls).toEqual([[{ dx: -30, dy: 0 }]]);
    expect(handlers.end).toHaveBeenCalledExactlyOnceWith({ dx: -40, dy: 0 }, expect.anything());
  });

  it("follows the finger on when the touched element is replaced", () => {
    touch(skeleton, "touchstart", 1, 0);
    touch(skeleton, "touchmove", 1, -30);
    skeleton.remove();
    touch(skeleton, "touchmove", 1, -60);
    expect(handlers.move).toHaveBeenLastCalledWith({ dx: -60, dy: 0 });
    touch(skeleton, "touchend", 1, -80);
    expect(handlers.end).toHaveBeenCalledExactlyOnceWith({ dx: -80, dy: 0 }, expect.anything());
    touch(skeleton, "touchmove", 1, -90);
    expect(handlers.move).toHaveBeenCalledTimes(2);
  });

  it("puts back what a lost finger moved when the next one touches down", () => {
    touch(skeleton, "touchstart", 1, 0);
    touch(skeleton, "touchmove", 1, -30);
    touch(box, "touchstart", 2, 100);
    const rest = { dx: 0, dy: 0 };
    expect(handlers.end).toHaveBeenCalledExactlyOnceWith(rest, rest);
    touch(box, "touchmove", 2, 80);
    expect(handlers.move).toHaveBeenLastCalledWith({ dx: -20, dy: 0 });
  });

  it("hears of nothing once it has ended, on a replaced element either", () => {
    touch(skeleton, "touchstart", 1, 0);
    skeleton.remove();
    life.abort();
    touch(skeleton, "touchmove", 1, -60);
    expect(handlers.claim).not.toHaveBeenCalled();
  });
});
