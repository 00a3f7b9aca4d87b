import { expect, test } from "../fixtures/test.ts";

const LEADERS = [
  { period: "日榜", title: "科技清单第 4 期" },
  { period: "周榜", title: "城市清单第 6 期" },
  { period: "总榜", title: "真实的蝴蝶停在花上" },
];

for (const address of ["/rank", "/find/rank"]) {
  test(`${address} gives medals to the first three and plain badges after`, async ({ page }) => {
    await page.goto(address);
    const rows = page.locator(".rank-row").filter({ visible: true });
    await expect(rows.nth(0).getByRole("img", { name: "第1名" })).toBeVisible();
    await expect(rows.nth(2).getByRole("img", { name: "第3名" })).toBeVisible();
    await expect(rows.nth(3).locator(".rank-badge")).toHaveText("第4名");
    await expect(rows.nth(3).getByRole("img", { name: /第\d名/ })).toHaveCount(0);
  });
}

test("a rank follows its period, the day first", async ({ page, finger }) => {
  await page.goto("/rank");
  const first = page.locator(".rank-row").first();
  await expect(page.getByRole("button", { name: "日榜" })).toHaveAttribute("aria-pressed", "true");
  await expect(first).toContainText("科技清单第 4 期");
  await expect(first.locator(".rank-figures")).toContainText("50次播放");
  // A video without views on this day stands here by all of them, which are called so. Other tests
  // may have watched one or two.
  const others = page.locator(".rank-row .rank-figures").filter({ hasText: /累计 [\d,]+次播放/ });
  await expect(others.first()).toBeVisible();
  for (const { period, title } of LEADERS) {
    await finger.press(page.getByRole("button", { name: period }));
    await expect(first).toContainText(title);
  }
});

test("a rank may go by favourites or by novelty", async ({ page, finger }) => {
  await page.goto("/rank");
  const asked = page.waitForRequest(/\/api\/rank\?type=new&period=day&page=1/);
  await finger.press(page.getByRole("button", { name: "最新" }));
  await asked;
  await expect(page.locator(".rank-row").first()).toContainText("真实的蝴蝶停在花上");
  await finger.press(page.getByRole("button", { name: "收藏", exact: true }));
  await expect(page.getByRole("button", { name: "收藏", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.locator(".rank-row").nth(0)).toBeVisible();
});

test("a rank ends after its last place", async ({ page }) => {
  await page.goto("/rank");
  // Each page comes when the one before it has been scrolled through.
  await expect(async () => {
    await page.mouse.wheel(0, 4000);
    await expect(page.getByText("没有更多了")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.locator(".rank-badge").last()).toHaveText("第100名");
});
