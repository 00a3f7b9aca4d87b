import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

test("a report is read and dismissed, and the audit log says so", async ({ page }) => {
  await logIn(page);
  await page.goto("/visitors");
  const row = page.getByRole("listitem").filter({ hasText: "雨夜的站台" });
  await row.getByRole("button", { name: /查看/ }).click();
  const dialog = page.getByRole("dialog", { name: "举报" });
  await expect(dialog.getByText("someone@example.com")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "标为处理中" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByText("处理中")).toBeVisible();
  await row.getByRole("button", { name: /查看/ }).click();
  await dialog.getByLabel(/备注/).fill("已核实");
  await dialog.getByRole("button", { name: "没有违规" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "全部" }).click();
  await expect(row.getByText("备注：已核实")).toBeVisible();
  await page.goto("/audit");
  const entry = page.getByRole("listitem").filter({ hasText: "雨夜的站台" }).first();
  await expect(entry.getByText("备注：已核实")).toBeVisible();
});

test("a reported video is looked at, and goes into the bin after a question", async ({ page }) => {
  await logIn(page);
  await page.goto("/visitors");
  const row = page.getByRole("listitem").filter({ hasText: "清单第 67 期" });
  await row.getByRole("button", { name: /查看/ }).click();
  const dialog = page.getByRole("dialog", { name: "举报" });
  await expect(dialog.getByText("已发布")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "在网站上播放" })).toHaveAttribute(
    "href",
    "https://site.example/playVideo?id=167",
  );
  await dialog.getByRole("link", { name: "查看视频" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /清单第 67 期/ })).toBeVisible();
  await page.goto("/visitors");
  await row.getByRole("button", { name: /查看/ }).click();
  await dialog.getByRole("button", { name: "永久下架…" }).click();
  const question = page.getByRole("dialog", { name: /永久下架/ });
  await expect(question.getByText(/不能再导入/)).toBeVisible();
  await question.getByRole("button", { name: "取消" }).click();
  await expect(question).toHaveCount(0);
  await dialog.getByRole("button", { name: "移入回收站…" }).click();
  await expect(dialog.getByText(/30 天内可以恢复/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "移入回收站", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toHaveCount(0);
});

test("a viewer sees that videos were reported, and not what was said", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await page.goto("/visitors?kind=feedback");
  await expect(page.getByText("屋顶上的黄昏")).toBeVisible();
  await expect(page.getByText("一直转圈")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /查看视频/ })).toHaveCount(0);
});

test("a viewer is told that the audit log is not theirs", async ({ page, expected }) => {
  expected.allow(/Failed to load resource/);
  await logIn(page, "viewer", "看客");
  await page.goto("/audit");
  await expect(page.getByRole("alert")).toContainText("没有权限");
  await expect(page.getByRole("button", { name: "重试" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "导出 CSV" })).toHaveCount(0);
});
