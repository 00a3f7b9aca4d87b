import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { READABLE, SCREENS } from "../pages/screens.ts";

/** Level AA of WCAG 2.2 with what it builds on. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

for (const scheme of ["dark", "light"] as const) {
  for (const [name, path, isDrawn] of SCREENS) {
    test(`${name} is accessible in ${scheme}`, async ({ page, expected }) => {
      // Some screens are about a failure.
      expected.allow(/Failed to load resource/);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(path);
      await isDrawn(page);
      await page.waitForLoadState("networkidle");
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
      expect(found).toEqual([]);
    });
  }
}

/** What a visitor reads or presses and lies outside the window, though nothing there can be scrolled sideways. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll("a, button, input, h1, h2, h3, p, label, dt, dd")]
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".sr-only, .skip-link"),
      )
      .filter((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return (
          width > 1 && height > 1 && (left < -1 || right > window.innerWidth + 1) && !scrolls(element.parentElement)
        );
      })
      .map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 20)}`);
  });
}

/** Twice the size in a window of 640 px, four times in one of 1280 (WCAG 1.4.4, 1.4.10): 320 CSS pixels remain. */
for (const [name, path, isDrawn] of READABLE) {
  test(`${name} loses nothing when it is enlarged`, async ({ page, expected }) => {
    expected.allow(/Failed to load resource/);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await isDrawn(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await cutOff(page)).toEqual([]);
  });
}

test("nothing moves by itself where less motion is wanted", async ({ page, expected }) => {
  test.setTimeout(180_000);
  expected.allow(/Failed to load resource/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [name, path, isDrawn] of READABLE) {
    await page.goto(path);
    await isDrawn(page);
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState, effect }) => playState === "running" && Number(effect?.getTiming().duration) > 1)
          .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? ""),
      );
    expect(await moving(), name).toEqual([]);
  }
});

test.describe("with a keyboard", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  for (const [path, last] of [
    ["/find/tags", "慢旅行"],
    ["/search", "海边"],
    ["/vendor", "请从合作网站重新进入"],
    ["/collectVideo?type=history", "还没有看过视频"],
    ["/artist-details?id=1", "没有更多了"],
  ] as const) {
    test(`everything on ${path} is reached, and shows that it is`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByText(last).first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLElement>("a[href], button:not(:disabled), input")].filter(
          (element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
        );
        for (const [index, element] of all.entries()) element.dataset.place = String(index);
        (document.activeElement as HTMLElement | null)?.blur();
        return all.length;
      });
      expect(wanted).toBeGreaterThan(6);
      const reached = new Set<string>();
      const unseen: string[] = [];
      for (let presses = 0; presses < wanted + 5; presses += 1) {
        await page.keyboard.press("Tab");
        const focus = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null;
          const surroundings = [element, element?.parentElement].filter((one) => one !== null && one !== undefined);
          const isShown = surroundings.some((one) => {
            const { outlineStyle, boxShadow } = getComputedStyle(one);
            return outlineStyle !== "none" || boxShadow !== "none";
          });
          return { place: element?.dataset.place, isShown, text: element?.textContent?.slice(0, 20) };
        });
        if (focus.place === undefined) continue;
        reached.add(focus.place);
        if (!focus.isShown) unseen.push(`${focus.place} ${focus.text}`);
      }
      expect(reached.size).toBe(wanted);
      expect(unseen).toEqual([]);
    });
  }
});
