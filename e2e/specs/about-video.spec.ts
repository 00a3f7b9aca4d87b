import type { Page } from "@playwright/test";
import { withoutAnswers } from "../fixtures/boot.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

const VIDEO = 2;
const LINES = Array.from(
  { length: 9 },
  (_, index) => `第 ${index + 1} 行：沿着海边走，看潮水退下去。`,
);
const CHAPTERS = [
  { start: 0, title: "出发" },
  { start: 8, title: "海边" },
];

/** The server says so much of the video. */
async function describe(page: Page, part: Record<string, unknown>): Promise<PlayerPage> {
  await page.addInitScript(() => localStorage.setItem("seek-hint-shown", "1"));
  await withoutAnswers(page);
  await page.route(`**/api/videoplay/${VIDEO}?*`, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, rescont: { ...answer.rescont, ...part } } });
  });
  const player = new PlayerPage(page);
  await player.open(VIDEO);
  await player.plays();
  return player;
}

test.describe("what a video is about", () => {
  test("stands folded below the title, with its own date", async ({ page, finger }) => {
    await describe(page, { description: LINES.join("\n"), premiered_at: "1997-05-01T00:00:00Z" });
    const about = page.getByRole("region", { name: "简介" });
    await expect(about).toContainText("首播 1997/5/1");
    const words = about.getByText("第 1 行");
    const folded = (await words.boundingBox())?.height ?? 0;
    await finger.press(about.getByRole("button", { name: "展开简介" }));
    await expect(about.getByRole("button", { name: "收起" })).toBeVisible();
    expect((await words.boundingBox())?.height ?? 0).toBeGreaterThan(folded * 3);
  });

  test("is not there where nothing is said", async ({ page }) => {
    await describe(page, {});
    await expect(page.getByRole("list", { name: "标签" })).toBeVisible();
    await expect(page.getByRole("region", { name: "简介" })).toHaveCount(0);
  });

  test("has chapters that lead there, marked on the bar", async ({ page, finger }) => {
    const player = await describe(page, { chapters: CHAPTERS });
    await expect(page.locator(".seek-mark")).toHaveCount(1);
    const left = await page
      .locator(".seek-mark")
      .evaluate((mark) => Number.parseFloat((mark as HTMLElement).style.left));
    expect(left).toBeCloseTo((8 / 12) * 100, 0);
    await finger.press(page.getByRole("list", { name: "章节" }).getByText("海边"));
    await expect.poll(async () => (await player.playback()).time).toBeGreaterThan(8);
  });
});
