import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

/** A square picture that is large enough for an icon. */
const ICON = "../web/public/icons/icon-512.png";

test("the site is given its slogan and icon, and takes them back", async ({ page, expected }) => {
  expected.allow(/status of 422/);
  await logIn(page);
  await page.getByRole("link", { name: "更多" }).tap();
  await page.getByRole("link", { name: "网站信息" }).tap();
  const shown = page.getByRole("region", { name: "访客看到的样子" });
  const slogan = page.getByLabel("标语");
  const address = page.getByLabel("站点地址");
  const before = { slogan: await slogan.inputValue(), address: await address.inputValue() };
  await slogan.fill("山里看海");
  await expect(shown.getByText("山里看海").first()).toBeVisible();
  await page.getByLabel("图标", { exact: true }).setInputFiles(ICON);
  await address.fill("example");
  await page.getByRole("button", { name: "保存" }).tap();
  await expect(page.getByText(/站点地址应为/)).toBeVisible();
  await expect(slogan).toHaveValue("山里看海");
  await address.fill(before.address);
  await page.getByRole("button", { name: "保存" }).tap();
  await expect(page.getByText("已保存。")).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(slogan).toHaveValue("山里看海");
  const icon = shown.getByRole("img", { name: "图标" });
  await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(192);
  await page.getByRole("button", { name: "填入默认值" }).tap();
  await expect(slogan).toHaveValue(before.slogan);
  await address.fill(before.address);
  await page.getByRole("button", { name: "保存" }).tap();
  await expect(page.getByText("已保存。")).toBeVisible();
  await page.reload();
  await expect(slogan).toHaveValue(before.slogan);
  await expect(icon).toBeHidden();
});
