import { followTraffic } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { violations } from "../pages/accessible.ts";
import { cutOff, cutTexts, moving } from "../pages/readability.ts";
import { READABLE, SCREENS } from "../pages/screens.ts";

/**
 * One visit looks at all that a screen is checked for in this window: loading it takes longer than
 * each check.
 */
for (const screen of SCREENS) {
  const [name, path, isDrawn] = screen;
  test(`${name} is accessible in both themes, rests, and shows its whole text at twice the size`, async ({
    page,
    expected,
  }) => {
    // Some screens are about a failure.
    expected.allow(/Failed to load resource/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const trafficIsOver = followTraffic(page);
    await page.goto(path);
    await isDrawn(page);
    const isReadable = READABLE.includes(screen);
    if (isReadable)
      expect.soft(await moving(page), "moves where less motion is wanted").toEqual([]);
    await trafficIsOver();
    expect(page.frames(), "axe looks at one document").toHaveLength(1);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveCSS("color-scheme", colorScheme);
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
    if (!isReadable) return;
    // A visitor's own text size, twice the ordinary one, in a window as wide as before (WCAG
    // 1.4.4).
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect.soft(await cutTexts(page), "cut at twice the size").toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
  });
}

/**
 * Twice the size in a window of 640 px, four times in one of 1280 (WCAG 1.4.4, 1.4.10): 320 CSS
 * pixels remain.
 */
for (const [name, path, isDrawn] of READABLE) {
  test(`${name} loses nothing when it is enlarged`, async ({ page, expected }) => {
    expected.allow(/Failed to load resource/);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await isDrawn(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
    expect(await cutOff(page)).toEqual([]);
  });
}

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
      const trafficIsOver = followTraffic(page);
      await page.goto(path);
      await expect(page.getByText(last).first()).toBeVisible();
      await trafficIsOver();
      const wanted = await page.evaluate(() => {
        const all = [
          ...document.querySelectorAll<HTMLElement>("a[href], button:not(:disabled), input"),
        ].filter(
          (element) =>
            element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
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
          const surroundings = [element, element?.parentElement].filter(
            (one) => one !== null && one !== undefined,
          );
          const isShown = surroundings.some((one) => {
            const { outlineStyle, boxShadow } = getComputedStyle(one);
            return outlineStyle !== "none" || boxShadow !== "none";
          });
          return {
            place: element?.dataset.place,
            isShown,
            text: element?.textContent?.slice(0, 20),
          };
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
