import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

test("the owner asks for the age on the whole site, and no longer", async ({ page }) => {
  await logIn(page);
  await page.goto("/content");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^确认年龄/ })
    .tap();
  await expect(page.getByRole("heading", { level: 1, name: "确认年龄" })).toBeVisible();
  const form = page.getByRole("form", { name: "整个网站" });
  await form.getByLabel("整个网站先确认年龄").check();
  await form.getByLabel("标题").fill("你成年了吗");
  await expectAccessible(page);
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(form.getByText("已保存")).toBeVisible();
  await page.reload();
  await expect(form.getByLabel("整个网站先确认年龄")).toBeChecked();
  await expect(form.getByLabel("标题")).toHaveValue("你成年了吗");

  await form.getByLabel("整个网站先确认年龄").uncheck();
  await form.getByLabel("标题").fill("");
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(form.getByText("已保存")).toBeVisible();
  await page.goto("/audit");
  await expect(page.getByText("设置确认年龄").first()).toBeVisible();
});

test("a category asks for the age, and the editor sees which", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/content/categories");
  await page.getByRole("button", { name: "新建分类" }).tap();
  const dialog = page.getByRole("dialog", { name: "新建分类" });
  await dialog.getByLabel("名称").fill("夜场");
  await dialog.getByLabel(/需确认年龄/).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("listitem").filter({ hasText: "夜场" });
  await expect(row).toContainText("需确认年龄");

  // As it was: other tests count categories.
  await row.getByRole("button", { name: /夜场/ }).first().tap();
  const opened = page.getByRole("dialog", { name: "修改分类" });
  await expect(opened.getByLabel(/需确认年龄/)).toBeChecked();
  await opened.getByRole("button", { name: "删除" }).tap();
  await opened.getByRole("button", { name: "确认删除" }).tap();
  await expect(row).toHaveCount(0);
  // The whole site is the owner's.
  await page.goto("/content");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: /^分类/ })).toBeVisible();
  await expect(main.getByRole("link", { name: /^确认年龄/ })).toHaveCount(0);
});

test("the owner tells in public what was taken down, and no longer", async ({ page }) => {
  await logIn(page);
  await page.goto("/content/removals");
  await expect(page.getByRole("heading", { level: 1, name: "下架公示" })).toBeVisible();
  const form = page.getByRole("form", { name: "公开" });
  await expect(form.getByLabel("连视频的标题一起公开")).toBeDisabled();
  await form.getByLabel(/^公开这一页/).check();
  await form.getByLabel("连视频的标题一起公开").check();
  await expectAccessible(page);
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(form.getByText("已保存")).toBeVisible();
  await page.reload();
  await expect(form.getByLabel("连视频的标题一起公开")).toBeChecked();
  await form.getByLabel(/^公开这一页/).uncheck();
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(form.getByText("已保存")).toBeVisible();
});
