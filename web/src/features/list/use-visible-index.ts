import { type RefObject, useEffect, useState } from "react";

/** Where to look for the first visible item: below the bars, in CSS pixels. */
const LINE = 140;

/** Index of the first box whose lower edge is below a line; the boxes are stacked vertically. */
export function firstBelow(
  bottoms: { readonly length: number; at: (index: number) => number },
  line: number,
): number {
  let low = 0;
  let high = bottoms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottoms.at(middle) > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Approximate index of the item at the top of the window, for a list whose children are chunks of
 * equal size.
 */
function indexAtTop(container: Element, size: number): number {
  const boxes = container.children;
  const rect = (index: number) => boxes[index]?.getBoundingClientRect();
  const found = firstBelow({ length: boxes.length, at: (index) => rect(index)?.bottom ?? 0 }, LINE);
  const box = rect(found);
  if (!box || box.height === 0) return 0;
  return found * size + Math.floor(Math.min(1, Math.max(0, (LINE - box.top) / box.height)) * size);
}

/**
 * A number derived from the first visible item's index, such as its page; the component rerenders
 * when it changes.
 *
 * @param toNumber - Must be the same function as long as it computes the same.
 */
export function useVisible(
  container: RefObject<Element | null>,
  size: number,
  toNumber: (index: number) => number,
) {
  const [value, setValue] = useState(() => toNumber(0));
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (container.current) setValue(toNumber(indexAtTop(container.current, size)));
    };
    const plan = () => {
      frame ||= requestAnimationFrame(look);
    };
    // In the next frame, when the new items are laid out anyway: asking at once would lay them out
    // twice.
    plan();
    window.addEventListener("scroll", plan, { passive: true });
    return () => {
      window.removeEventListener("scroll", plan);
      cancelAnimationFrame(frame);
    };
  }, [container, size, toNumber]);
  return value;
}
