import type { Page } from "@playwright/test";

/**
 * What a visitor reads or presses and lies outside the window, though nothing there can be scrolled
 * sideways.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll("a, button, input, h1, h2, h3, p, label, dt, dd")]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(".sr-only, .skip-link"),
      )
      .filter((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return (
          width > 1 &&
          height > 1 &&
          (left < -1 || right > window.innerWidth + 1) &&
          !scrolls(element.parentElement)
        );
      })
      .map(
        (element) =>
          `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 20)}`,
      );
  });
}

/**
 * Texts of which a part is not to be seen: beyond a box that clips them, or beyond the control that
 * they name.
 */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isShortened = ({ textOverflow, webkitLineClamp }: CSSStyleDeclaration): boolean =>
      textOverflow === "ellipsis" || (webkitLineClamp !== "none" && webkitLineClamp !== "");
    const scrolls = ({ overflowX, overflowY }: CSSStyleDeclaration): boolean =>
      /auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY);

    function cutBy(text: Text): Element | undefined {
      const range = document.createRange();
      range.selectNodeContents(text);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      for (let box = text.parentElement; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (isShortened(style) || scrolls(style)) return undefined;
        if (style.overflowX === "visible" && !box.matches("button, a, label")) continue;
        const { left, right, top, bottom } = box.getBoundingClientRect();
        // Half of a line's leading may lie outside.
        const slack = Number.parseFloat(style.fontSize) / 4;
        if (
          lines.some(
            (line) =>
              line.left < left - 1 ||
              line.right > right + 1 ||
              line.top < top - slack ||
              line.bottom > bottom + slack,
          )
        )
          return box;
      }
      return undefined;
    }

    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      const parent = text.parentElement;
      if (
        !text.data.trim() ||
        !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      if (parent.closest(".sr-only, .skip-link, [aria-hidden=true]")) continue;
      const box = cutBy(text);
      if (box) found.push(`${text.data.trim().slice(0, 16)} in ${box.tagName}.${box.className}`);
    }
    return found;
  });
}

/** Classes of what moves by itself at this moment. */
export async function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === "running" && Number(effect?.getTiming().duration) > 1,
      )
      .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? ""),
  );
}
