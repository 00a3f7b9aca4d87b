import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { READABLE } from "../pages/screens.ts";

/** Texts of which a part is not to be seen: beyond a box that clips them, or beyond the control that they name. */
async function cutTexts(page: Page): Promise<string[]> {
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
              line.left < left - 1 || line.right > right + 1 || line.top < top - slack || line.bottom > bottom + slack,
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
      if (!text.data.trim() || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (parent.closest(".sr-only, .skip-link, [aria-hidden=true]")) continue;
      const box = cutBy(text);
      if (box) found.push(`${text.data.trim().slice(0, 16)} in ${box.tagName}.${box.className}`);
    }
    return found;
  });
}

/** A visitor's own text size, twice the ordinary one, in a window as wide as before (WCAG 1.4.4). */
for (const [name, path, isDrawn] of READABLE) {
  test(`${name} shows its whole text at twice the size`, async ({ page, expected }) => {
    expected.allow(/Failed to load resource/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    await isDrawn(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await cutTexts(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
}
