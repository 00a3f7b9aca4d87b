import { expect, test } from "../fixtures/test.ts";

test.beforeEach(async ({ page }) => {
  await page.goto("/mine");
});

test("the notice bar shows the two latest notices and opens them all", async ({ page, finger }) => {
  const bar = page.locator(".notice-bar");
  await expect(bar.locator(".notice-titles > span")).toHaveText(["本周更新", "欢迎来到流影"]);
  await finger.press(bar);
  await expect(page.getByRole("dialog", { name: "公告" })).toBeVisible();
  await expect(page.getByText("祝你观看愉快。")).toBeVisible();
});

test("links of the operator lead out as advertisements do, with nothing of this page", async ({
  page,
}) => {
  for (const kind of ["checkin", "activity", "community", "exchange"]) {
    const link = page.getByRole("link", { name: `链接 ${kind}` });
    await expect(link).toHaveAttribute("href", "https://example.com/");
    await expect(link).toHaveAttribute("rel", "sponsored noopener noreferrer");
  }
  await expect(page.getByRole("link", { name: "推广 USER" })).toHaveAttribute(
    "href",
    "https://example.com/",
  );
});

test("history, favourites, feedback and the version have their place", async ({ page, finger }) => {
  const { version } = (await (await page.request.get("/api/config")).json()).rescont;
  await expect(page.getByText(version, { exact: true })).toBeVisible();
  await finger.press(page.getByRole("button", { name: "意见反馈" }));
  await expect(page.getByRole("dialog", { name: "意见反馈" })).toBeVisible();
  await page.goBack();
  await finger.press(page.getByRole("link", { name: "观看历史" }));
  await expect(page).toHaveURL(/\/collectVideo\?type=history$/);
  await page.goBack();
  await finger.press(page.getByRole("link", { name: /我喜欢的|收藏/ }));
  await expect(page).toHaveURL(/\/collectVideo\?type=favorite$/);
});
