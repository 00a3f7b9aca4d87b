import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

const PAGES = [
  ["/", "总览", /雪山上的清晨/],
  ["/visitors", "举报与反馈", /屋顶上的黄昏/],
  ["/videos", "视频", /清单第 1 期/],
  ["/jobs", "导入队列", /海边的一整个下午/],
  ["/audit", "操作记录", /登录/],
  ["/sessions", "登录与密钥", /本机/],
] as const;

for (const [path, title, shown] of PAGES)
  test(`${title} is accessible in both themes, and fits a phone and a desk`, async ({ page }) => {
    await logIn(page);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(shown).first()).toBeVisible();
    await expectAccessible(page);
    for (const width of [360, 390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${width}`).toBeLessThanOrEqual(width);
    }
  });

test("the overview says what needs attention and what is being worked on", async ({ page }) => {
  await logIn(page);
  await expect(page.getByText(/[12] 个导入失败/)).toBeVisible();
  await expect(page.getByText(/无法继续解码/)).toBeVisible();
  await expect(page.getByText("1 条未处理的反馈")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "海边的一整个下午.mp4" })).toBeVisible();
  await expect(page.getByText(/进行中 1 · 等待 [12]/)).toBeVisible();
});

test("a server that cannot be reached is said, and asked again", async ({ page, expected }) => {
  expected.allow(/Failed to load resource|ERR_FAILED/);
  await logIn(page);
  await page.route("**/api/audit", (route) => route.abort());
  await page.goto("/audit");
  await expect(page.getByRole("alert")).toContainText("连不上控制台");
  await page.unroute("**/api/audit");
  await page.getByRole("button", { name: "重试" }).click();
  await expect(page.getByLabel("记录", { exact: true })).toBeVisible();
});

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("the keyboard alone reaches every page", async ({ page }) => {
    await logIn(page);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "跳到内容" })).toBeFocused();
    for (const [path, title] of PAGES) {
      const link = page.getByRole("navigation").getByRole("link", { name: title });
      for (let presses = 0; presses < 20; presses += 1) {
        if (await link.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press("Tab");
      }
      await expect(link).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    }
  });
});
