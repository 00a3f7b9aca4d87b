import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";
import { isShared } from "../fixtures/console-environment.ts";

const PAGES = [
  ["/", "总览", /雪山上的清晨/],
  ["/visitors", "举报与反馈", /屋顶上的黄昏/],
  ["/videos", "视频", /清单第 1 期/],
  ["/uploads", "上传", /选择视频/],
  ["/jobs", "导入队列", /海边的一整个下午/],
  ["/figures", "数据", /累计播放/],
  ["/content", "内容", /各个位置的广告/],
  ["/backups", "备份", isShared ? /pgbackrest/ : /那里还有/],
  ["/doctor", "体检", /现在体检/],
  ["/audit", "操作记录", /一次性地址/],
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
  await expect(page.getByText(/[1-3] 个导入失败/)).toBeVisible();
  await expect(page.getByText(/无法继续解码/)).toBeVisible();
  await expect(page.getByText("1 条未处理的反馈")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "海边的一整个下午.mp4" })).toBeVisible();
  await expect(page.getByText(/进行中 [12] · 等待 [1-4]/)).toBeVisible();
});

test("the figures of a period are summed up", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await page.goto("/figures");
  const sums = page.getByLabel("总数");
  await expect(sums.getByText("7 天播放")).toBeVisible();
  await expect(sums.getByText("134", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "30 天", exact: true }).click();
  await expect(sums.getByText("30 天播放")).toBeVisible();
  await expect(page.getByLabel("播放最多").getByText(/清单第 1 期/)).toBeVisible();
  await expect(page.getByLabel("占用空间").getByText("数据库")).toBeVisible();
});

test("on a phone, what the bar has no room for is one tap further", async ({ page }) => {
  await logIn(page);
  await expect(page.getByRole("link", { name: "登录与密钥" })).toBeHidden();
  await page.getByRole("link", { name: "更多" }).click();
  await page.getByRole("link", { name: "登录与密钥" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "登录与密钥" })).toBeVisible();
});

test("an address that leads nowhere, or is used up, says so and is accessible", async ({
  page,
  expected,
}) => {
  expected.allow(/401|422/);
  await page.goto("/enter#not-a-token");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("main")).toHaveCount(1);
  await expectAccessible(page);
  await page.goto("/nothing-of-this-name");
  await expect(page.getByRole("heading", { level: 1, name: "没有这个页面" })).toBeVisible();
  await expect(page.getByRole("main")).toHaveCount(1);
  await expectAccessible(page);
});

test("the log says in Chinese what was done", async ({ page }) => {
  await logIn(page, "owner", "站长");
  await page.goto("/audit");
  const entries = page.getByLabel("记录", { exact: true });
  await expect(entries.getByText("角色：站长").first()).toBeVisible();
  await expect(entries.getByText("owner")).toHaveCount(0);
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

test("what is pressed is at least 44 pixels each way", async ({ page }) => {
  await logIn(page);
  for (const [path, shown] of [
    ["/visitors", "举报"],
    ["/content/tabs", /^下移 首页/],
    ["/content/ads", /^下移 春季旅行节/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: shown }).first()).toBeVisible();
    const small = await page.locator(".choice button, .record-moves button").evaluateAll((found) =>
      found
        .map((one) => {
          one.scrollIntoView({ block: "center" });
          const { x, y, width, height } = one.getBoundingClientRect();
          // What is drawn smaller than it is pressed answers outside of its own box, too.
          // A pixel is left to rounding at both ends.
          const top = y + height / 2 - 21;
          const isHit = [top, top + 42].every((edge) =>
            one.contains(document.elementFromPoint(x + width / 2, edge)),
          );
          return { name: one.ariaLabel ?? one.textContent, width, isHit };
        })
        .filter(({ width, isHit }) => width < 44 || !isHit),
    );
    expect(small, path).toEqual([]);
  }
});
