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

test("a viewer reads what visitors said, and can decide nothing", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await page.goto("/visitors?kind=feedback");
  await expect(page.getByText("一直转圈")).toBeVisible();
  await expect(page.getByRole("button", { name: "已处理" })).toHaveCount(0);
  await page.getByRole("button", { name: "举报", exact: true }).click();
  await page.getByRole("button", { name: /查看视频 2/ }).click();
  const dialog = page.getByRole("dialog", { name: "举报" });
  await expect(dialog.getByText("片头是别人的作品")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "下架视频" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "关闭" }).click();
  await expect(dialog).toHaveCount(0);
});
