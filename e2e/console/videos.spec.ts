import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

test("a video is found and described anew in four taps", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.getByRole("link", { name: "视频" }).click();
  await page.getByRole("searchbox").fill("第 12 期");
  await page.keyboard.press("Enter");
  await expect(page.getByText("共 1 个")).toBeVisible();
  await page.getByRole("link", { name: /第 12 期/ }).click();
  await page.getByLabel("标题", { exact: true }).fill("海边的一整天");
  await page.getByRole("textbox", { name: /^标签/ }).fill("海边、夏天");
  await page.getByLabel("分类").selectOption({ label: "旅行" });
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("已保存")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "海边的一整天" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "夏天" }).click();
  await expect(page.getByText("共 1 个")).toBeVisible();
});

test("a video is hidden, shown again, and waits for its time", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/videos/120");
  await page.getByRole("button", { name: "隐藏" }).click();
  await expect(page.getByText("已隐藏", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "恢复显示" }).click();
  await expect(page.getByText("已发布", { exact: true })).toBeVisible();
  await page.getByLabel(/发布的时间/).fill("2036-01-01T20:00");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("定时发布", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "视频", exact: true }).click();
  await page.getByLabel("状态").selectOption({ label: "定时发布" });
  await expect(page.getByRole("link", { name: /第 20 期/ })).toBeVisible();
});

test("many are changed by what they have in common", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/videos?text=音乐清单");
  await page
    .getByLabel(/^选择 音乐/)
    .first()
    .check();
  await page.getByRole("button", { name: /修改全部/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "修改" }).click();
  await expect(dialog.getByRole("alert")).toContainText("请选择要修改的内容");
  await dialog.getByLabel(/加上标签/).fill(`乐迷、${"长".repeat(41)}`);
  await dialog.getByRole("button", { name: "修改" }).click();
  await expect(dialog.getByRole("alert")).toContainText("每个标签最多 40 个字");
  await dialog.getByLabel(/加上标签/).fill("乐迷");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "修改" }).click();
  await expect(dialog).toBeHidden();
  await page.goto("/videos?label=乐迷");
  await expect(page.getByText("共 23 个")).toBeVisible();
});

test("on a phone a whole page is ticked, by targets of 44 pixels", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/videos?text=音乐清单");
  const tick = page
    .locator("label")
    .filter({ has: page.getByLabel(/^选择 音乐/) })
    .first();
  const box = await tick.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await page.getByLabel("选择这一页").check();
  await expect(page.getByText("已选 23 个")).toBeVisible();
  const all = page.getByRole("button", { name: "修改全部 23 个" });
  expect((await all.boundingBox())?.height).toBeLessThan(60);
  await expectAccessible(page);
});

test("a video is deleted after a question and brought back, and a second page follows the first", async ({
  page,
}) => {
  await logIn(page);
  await page.goto("/videos?sort=views");
  await expect(page.getByRole("link", { name: /第 1 期/ })).toBeVisible();
  await page.getByRole("button", { name: "显示更多" }).click();
  await expect(page.getByRole("link", { name: /第 60 期/ })).toBeVisible();
  await page.getByRole("link", { name: /第 61 期/ }).click();
  await page.getByRole("button", { name: "移入回收站" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "移入回收站" }).click();
  await expect(page.getByText(/移入回收站，.+自动彻底删除/)).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await page.goto("/videos?text=第 61 期");
  await expect(page.getByText("没有符合条件的视频")).toBeVisible();
  await page.goto("/videos");
  await page.getByRole("link", { name: "回收站" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "回收站" })).toBeVisible();
  const row = page.getByRole("row", { name: /第 61 期/ });
  await expect(row.getByText(/^删除于/)).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("link").click();
  await page.getByRole("button", { name: "恢复", exact: true }).click();
  await expect(page.getByRole("button", { name: "移入回收站" })).toBeVisible();
});

test("what is purged is gone after a question", async ({ page }) => {
  await logIn(page);
  await page.goto("/videos/165");
  await page.getByRole("button", { name: "移入回收站" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "移入回收站" }).click();
  await page.getByRole("button", { name: "彻底删除" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/不能恢复/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "彻底删除" }).click();
  await dialog.getByRole("button", { name: "彻底删除" }).click();
  await expect(page).toHaveURL(/\/videos$/);
  await page.goto("/videos?text=第 65 期");
  await expect(page.getByText("没有符合条件的视频")).toBeVisible();
  await page.goto("/videos?state=removed");
  await expect(page.getByRole("link", { name: /第 65 期/ })).toHaveCount(0);
});

test("what was typed is not lost without a question", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/videos/170");
  const title = page.getByLabel("标题", { exact: true });
  await expect(page.getByLabel("分类").locator("option:checked")).toHaveText("旅行");
  await title.fill("还没有保存的标题");
  await page.getByRole("link", { name: "总览" }).click();
  const dialog = page.getByRole("dialog", { name: "离开这一页？" });
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(title).toHaveValue("还没有保存的标题");
  await page.getByRole("link", { name: "总览" }).click();
  await dialog.getByRole("button", { name: "不保存，离开" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
  await page.goto("/videos/170");
  await title.fill("保存过的标题");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("已保存")).toBeVisible();
  await page.getByRole("link", { name: "总览" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
});

test("a viewer changes nothing", async ({ page }) => {
  await logIn(page, "viewer", "小李");
  await expect(page.getByRole("link", { name: "去处理" })).toHaveCount(0);
  await page.goto("/videos/103");
  await expect(page.getByRole("term").filter({ hasText: "标题" })).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "保存" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "隐藏" })).toHaveCount(0);
  await page.goto("/videos");
  await expect(page.getByRole("checkbox")).toHaveCount(0);
});

test("back from a video, the list is as it was left: filter, order, pages and place", async ({
  page,
}) => {
  await logIn(page);
  await page.goto("/videos?text=清单&sort=views");
  await page.getByRole("button", { name: "显示更多" }).click();
  const far = page.getByRole("link", { name: /第 58 期/ });
  await far.scrollIntoViewIfNeeded();
  await expect(page).toHaveURL(/pages=2/);
  const list = page.url();
  const top = await page.evaluate(() => window.scrollY);
  expect(top).toBeGreaterThan(1000);
  await far.click();
  await page.getByRole("button", { name: "数据" }).click();
  await expect(page).toHaveURL(/part=figures/);
  await page.getByRole("link", { name: "返回列表" }).click();
  await expect(page).toHaveURL(list);
  await expect(far).toBeInViewport();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  // A page that was loaded anew remembers nothing but its address and its history.
  await far.click();
  await expect(page.getByRole("link", { name: "返回列表" })).toBeVisible();
  await page.reload();
  await page.getByRole("link", { name: "返回列表" }).click();
  await expect(page).toHaveURL(list);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  await expect(far).toBeInViewport();
});

test("a video opened in a tab of its own knows its list by its address alone", async ({ page }) => {
  await logIn(page);
  await page.goto("/videos/105?sort=views&pages=2");
  await page.getByRole("link", { name: "返回列表" }).click();
  await expect(page).toHaveURL(/\/videos\?sort=views&pages=2$/);
  await expect(page.getByRole("link", { name: /第 60 期/ })).toBeVisible();
});

test("a state's tone says what its words say: published is no failure", async ({ page }) => {
  await logIn(page);
  const tone = (text: RegExp) => page.locator(".badge").filter({ hasText: text }).first();
  await page.goto("/videos?state=shown");
  await expect(tone(/^已发布$/)).toHaveAttribute("data-tone", "good");
  await page.goto("/content/ads");
  await expect(tone(/^显示中$/)).toHaveAttribute("data-tone", "good");
  await expect(tone(/^已结束$/)).toHaveAttribute("data-tone", "neutral");
  await page.goto("/jobs?state=failed");
  await expect(tone(/^失败$/)).toHaveAttribute("data-tone", "danger");
});
