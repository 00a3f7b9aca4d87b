import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

/** A picture that a test chooses. */
const PICTURE = "../docs/pictures/mine-light.webp";

/** Counts what a finger taps; what is typed, chosen from a list and confirmed is none. */
class Taps {
  count = 0;

  constructor(readonly page: Page) {}

  async link(name: string): Promise<void> {
    this.count += 1;
    await this.page.getByRole("link", { name, exact: true }).filter({ visible: true }).tap();
  }

  async button(name: string | RegExp): Promise<void> {
    this.count += 1;
    await this.page.getByRole("button", { name }).tap();
  }

  expectAtMost(most: number): void {
    expect(this.count).toBeLessThanOrEqual(most);
  }
}

/** Opens a content page from the overview, as an editor. */
async function start(page: Page, name: string): Promise<Taps> {
  await logIn(page, "editor", "小王");
  const taps = new Taps(page);
  await taps.link("更多");
  await taps.link(name);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  return taps;
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `确认${name}` }).tap();
}

test("an advertisement is added with a picture and a window, seen in place, and ended", async ({
  page,
}) => {
  const taps = await start(page, "广告");
  await expectAccessible(page);
  await taps.button("新建广告");
  const dialog = page.getByRole("dialog", { name: "新建广告" });
  await dialog.getByLabel("位置").selectOption({ label: "播放页" });
  await dialog.getByLabel("图片", { exact: true }).setInputFiles(PICTURE);
  await expect(dialog.getByRole("img", { name: "图片预览" })).toBeVisible();
  await dialog.getByLabel("标题").fill("秋天的山");
  await expect(dialog.getByText("广告　秋天的山")).toBeVisible();
  await dialog.getByLabel("链接").fill("https://example.com/autumn");
  await dialog.getByLabel("开始时间").fill("2026-01-01T08:00");
  await dialog.getByLabel("结束时间").fill("2036-01-01T08:00");
  await expectAccessible(page);
  await taps.button("保存");
  await expect(dialog).toBeHidden();
  taps.expectAtMost(4);
  const row = page.getByRole("listitem").filter({ hasText: "秋天的山" });
  await expect(row.getByText("显示中")).toBeVisible();
  await expect(row.getByText("2036/01/01 08:00")).toBeVisible();
  const drawn = row.locator("img");
  await expect
    .poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

  await row
    .getByRole("button", { name: /秋天的山/ })
    .first()
    .tap();
  await page.getByRole("button", { name: "结束", exact: true }).tap();
  await confirm(page, "结束");
  await expect(row.getByText("已结束")).toBeVisible();
});

test("an advertisement is ended in four taps", async ({ page }) => {
  const taps = await start(page, "广告");
  await taps.button(/^周末音乐会/);
  await taps.button("结束");
  await confirm(page, "结束");
  const row = page.getByRole("listitem").filter({ hasText: "周末音乐会" });
  await expect(row.getByText("已结束")).toBeVisible();
  taps.expectAtMost(4);
});

test("what is wrong stands beside its field, and nothing is lost", async ({ page, expected }) => {
  expected.allow(/status of 422/);
  const taps = await start(page, "广告");
  await taps.button("新建广告");
  const dialog = page.getByRole("dialog", { name: "新建广告" });
  await dialog.getByLabel("标题").fill("坏图片");
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog.getByText("请选择图片")).toBeVisible();
  await expect(dialog.getByText("请写链接")).toBeVisible();
  await dialog.getByLabel("链接").fill("example");
  const file = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("<svg></svg>") };
  await dialog.getByLabel("图片", { exact: true }).setInputFiles(file);
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog.getByText(/图片无法读取/)).toBeVisible();
  await dialog.getByLabel("图片", { exact: true }).setInputFiles(PICTURE);
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog.getByText(/链接应为/)).toBeVisible();
  await expect(dialog.getByLabel("标题")).toHaveValue("坏图片");
});

test("of two who change the same advertisement the second is told", async ({
  page,
  context,
  expected,
}) => {
  expected.allow(/status of 409/);
  await logIn(page, "editor", "小王");
  await page.goto("/content/ads");
  await page.getByRole("button", { name: /^海岛机票特惠/ }).tap();
  const dialog = page.getByRole("dialog", { name: "修改广告" });
  await dialog.getByLabel("说明").fill("第一个人写的");
  const other = await context.newPage();
  await other.goto("/content/ads");
  await other.getByRole("button", { name: /^海岛机票特惠/ }).tap();
  const second = other.getByRole("dialog", { name: "修改广告" });
  await second.getByLabel("说明").fill("第二个人写的");
  await second.getByRole("button", { name: "保存" }).tap();
  await expect(second).toBeHidden();
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog.getByRole("alert")).toContainText("别人刚刚改过");
});

test("banners are arranged with two buttons", async ({ page }) => {
  const taps = await start(page, "轮播图");
  await expectAccessible(page);
  const list = page.getByRole("list", { name: "精选的轮播图" });
  await expect(list.getByRole("listitem").first()).toContainText("海边的一整天");
  await taps.button("下移 海边的一整天");
  await expect(list.getByRole("listitem").first()).toContainText("城市夜景");
  taps.expectAtMost(4);
  await page.reload();
  await expect(list.getByRole("listitem").first()).toContainText("城市夜景");
});

test("a banner leads to a topic", async ({ page }) => {
  const taps = await start(page, "轮播图");
  await taps.button("新建轮播图");
  const dialog = page.getByRole("dialog", { name: "新建轮播图" });
  await dialog.getByLabel("标签").selectOption({ label: "新片" });
  await dialog.getByLabel("图片", { exact: true }).setInputFiles(PICTURE);
  await dialog.getByLabel("标题").fill("周末片单");
  await dialog.getByLabel("点击后打开").selectOption({ label: "专题" });
  await dialog.getByLabel("专题").selectOption({ label: "周末看什么" });
  await taps.button("保存");
  await expect(dialog).toBeHidden();
  taps.expectAtMost(4);
  const list = page.getByRole("list", { name: "新片的轮播图" });
  await expect(list.getByText("周末片单")).toBeVisible();
});

test("a notice is written with a picture, previewed, and ended", async ({ page }) => {
  const taps = await start(page, "公告");
  await expectAccessible(page);
  await taps.button("新建公告");
  const dialog = page.getByRole("dialog", { name: "新建公告" });
  await dialog.getByLabel("标题").fill("新片上线");
  await dialog.getByLabel("内容").fill("周五晚八点。\n\n<b>别错过</b><script>alert(1)</script>");
  await dialog.getByLabel("图片（可以不加）").setInputFiles(PICTURE);
  const preview = dialog.getByRole("region", { name: "访客看到的样子" });
  await expect(preview.getByText("别错过")).toBeVisible();
  await expect(preview.getByText("alert")).toHaveCount(0);
  await expectAccessible(page);
  await taps.button("保存");
  await expect(dialog).toBeHidden();
  taps.expectAtMost(4);
  const row = page.getByRole("listitem").filter({ hasText: "新片上线" });
  await expect(row.getByText("显示中")).toBeVisible();
  await row.getByRole("button", { name: /新片上线/ }).tap();
  await page.getByRole("button", { name: "结束", exact: true }).tap();
  await confirm(page, "结束");
  await expect(row.getByText("已结束")).toBeVisible();
});

test("a hot word is pinned, and one is blocked", async ({ page }) => {
  const taps = await start(page, "热搜词");
  await expectAccessible(page);
  await expect(page.getByText("无结果")).toBeVisible();
  await taps.button("屏蔽 雪豹纪录片");
  await expect(page.getByRole("button", { name: "取消屏蔽 雪豹纪录片" })).toBeVisible();
  taps.expectAtMost(4);
  await taps.button("置顶 旅行");
  const dialog = page.getByRole("dialog", { name: "置顶一组热搜词" });
  await dialog.getByLabel("标题").fill("大家在搜");
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog).toBeHidden();
  const list = page.getByRole("list", { name: "置顶的组" });
  await expect(list.getByRole("listitem").last()).toContainText("大家在搜");
  await page.getByRole("button", { name: "上移 大家在搜" }).tap();
  await expect(list.getByRole("listitem").last()).not.toContainText("大家在搜");
});

test("categories and the bar's entries are arranged and hidden", async ({ page }) => {
  const taps = await start(page, "分类");
  await expectAccessible(page);
  await taps.button("上移 音乐");
  const list = page.getByRole("list", { name: "分类的次序" });
  await expect(list.getByRole("listitem").nth(1)).toContainText("音乐");
  await taps.button(/^音乐/);
  await page.getByLabel(/^隐藏/).check();
  await page.getByRole("button", { name: "保存" }).tap();
  await expect(list.getByText("已隐藏")).toBeVisible();
  await page.goto("/content/tabs");
  await expectAccessible(page);
  await page.getByRole("button", { name: "下移 排行" }).tap();
  const bar = page.getByRole("list", { name: "入口的次序" });
  await expect(bar.getByRole("listitem").nth(2)).toContainText("排行");
  await page.getByRole("button", { name: /^看看/ }).tap();
  await page.getByLabel(/^隐藏/).check();
  await page.getByRole("button", { name: "保存" }).tap();
  await expect(bar.getByText("已隐藏")).toBeVisible();
});

test("a topic is put together from videos that are found by title", async ({ page }) => {
  const taps = await start(page, "专题");
  await expectAccessible(page);
  await taps.button("新建专题");
  const dialog = page.getByRole("dialog", { name: "新建专题" });
  await dialog.getByLabel("标题", { exact: true }).fill("夜里看");
  await dialog.getByLabel(/^加入视频/).fill("第 33 期");
  await dialog.getByRole("button", { name: /^加入 .*第 33 期/ }).tap();
  await expect(dialog.getByRole("list", { name: "专题里的视频" })).toContainText("第 33 期");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("listitem").filter({ hasText: "夜里看" });
  await expect(row.getByText("1 个视频")).toBeVisible();
});

test("links, artists and labels are changed, and artists merged", async ({ page }) => {
  await start(page, "友情链接");
  await expectAccessible(page);
  await page.getByRole("button", { name: "新建链接" }).tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("标题").fill("好朋友");
  await dialog.getByLabel("网址").fill("https://friend.example");
  await dialog.getByRole("button", { name: "保存" }).tap();
  await expect(page.getByText("https://friend.example")).toBeVisible();
  await page.goto("/content/artists");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^山野工作室/ }).tap();
  await dialog.getByLabel(/^并入另一个/).fill("山野");
  await dialog.getByRole("button", { name: "并入 山野", exact: true }).tap();
  await page.getByRole("button", { name: "确认合并" }).tap();
  await expect(page.getByRole("button", { name: /^山野工作室/ })).toHaveCount(0);
  await page.goto("/content/labels");
  await expectAccessible(page);
  await page.getByLabel("搜索标签的名称").fill("合集");
  await page.getByRole("button", { name: "搜索" }).tap();
  await page.getByRole("button", { name: /^合集/ }).tap();
  await expect(dialog.getByLabel("名称", { exact: true })).toHaveValue("合集");
});

test("a partner's key is shown once, to the owner alone", async ({ page }) => {
  await logIn(page);
  await page.goto("/content/partners");
  await page.getByRole("button", { name: "新建合作方" }).tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("编号").fill("acme");
  await dialog.getByLabel("名称").fill("艾克米");
  await dialog.getByLabel("来源").fill("https://acme.example");
  await dialog.getByRole("button", { name: "保存" }).tap();
  const key = dialog.getByText(/^[A-Za-z0-9+/]{43}=$/);
  await expect(key).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "复制密钥" }).tap();
  await expect(dialog.getByRole("button", { name: "已复制密钥" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await key.textContent());
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "已经保存好了" }).tap();
  await page.getByRole("button", { name: /^艾克米/ }).tap();
  await expect(dialog.getByText(/^[A-Za-z0-9+/]{43}=$/)).toHaveCount(0);
  await dialog.getByRole("button", { name: "签发试用凭证" }).tap();
  await expect(dialog.getByText(/vendor\?code=/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "复制地址" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "修改" }).tap();
  const form = page.getByRole("dialog", { name: "修改合作方" });
  await expect(form.getByLabel("来源")).toHaveValue("https://acme.example");
  await form.getByLabel("来源").fill("");
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(form.getByRole("alert")).toHaveText("请写来源");
  await expectAccessible(page);
  await form.getByLabel("来源").fill("https://www.acme.example");
  await form.getByRole("button", { name: "保存" }).tap();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("https://www.acme.example")).toBeVisible();
  await logIn(page, "editor", "小王");
  await page.getByRole("link", { name: "更多" }).tap();
  await expect(page.getByRole("link", { name: "公告" })).toBeVisible();
  await expect(page.getByRole("link", { name: "合作方" })).toHaveCount(0);
});

test("a partner's trial address is told apart from a path, where the site's is not set", async ({
  page,
}) => {
  await logIn(page);
  const partner = { id: "acme", name: "艾克米", origin: "https://acme.example", is_active: true };
  const perks = { promo_url: "", ad: "", activity: "", ws_url: "" };
  const code = { code: "c", url: "/vendor?code=c", seconds: 60 };
  const answer = (rescont: unknown) => ({ json: { code: 200, msg: "success", rescont } });
  await page.route("**/api/partners", (route) =>
    route.fulfill(answer([{ ...partner, perks, revision: "r" }])),
  );
  await page.route("**/api/partners/acme/code", (route) => route.fulfill(answer(code)));
  await page.goto("/content/partners");
  await page.getByRole("button", { name: /^艾克米/ }).tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "签发试用凭证" }).tap();
  await expect(dialog.getByRole("button", { name: "复制路径" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "去写网站的地址" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "网站信息" })).toBeVisible();
});

test("the owner reads every setting, and no secret", async ({ page }) => {
  await logIn(page);
  await page.getByRole("link", { name: "更多" }).tap();
  await page.getByRole("link", { name: "设置" }).tap();
  await expect(page.getByText("LIUYING_PAGE_SIZE")).toBeVisible();
  await expect(page.getByText("LIUYING_WEBHOOK_SECRET")).toBeVisible();
  await expectAccessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
});

test("a viewer reads content and changes nothing", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await page.goto("/content/ads");
  await expect(page.getByText("春季旅行节")).toBeVisible();
  await expect(page.getByRole("button", { name: "新建广告" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^下移/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^春季旅行节/ }).tap();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("标题")).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "保存" })).toHaveCount(0);
});

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("the keyboard alone arranges and opens", async ({ page }) => {
    await logIn(page, "editor", "小王");
    await page.goto("/content/links");
    const list = page.getByRole("list", { name: "友情链接的次序" });
    await expect(list.getByRole("listitem").first()).toContainText("山海社区");
    const down = page.getByRole("button", { name: "下移 山海社区" });
    await down.focus();
    await page.keyboard.press("Enter");
    await expect(list.getByRole("listitem").first()).not.toContainText("山海社区");
    await expect(down).toBeFocused();
    await page.getByRole("button", { name: /^影像之友/ }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "修改链接" });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });
});
