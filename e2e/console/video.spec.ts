import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

const FILM = "三种颜色的短片";
const LINES = "1\n00:00:01,000 --> 00:00:02,000\n你好\n";

/** From the overview in two taps: typing is none. */
async function openFilm(page: Page, name: string = FILM): Promise<void> {
  await page.getByRole("link", { name: "视频", exact: true }).click();
  await page.getByRole("searchbox").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

/** The colour of a picture's middle: which of red, green and blue is strongest. */
function colourOf(picture: Locator): Promise<string> {
  return picture.evaluate(async (element) => {
    const shown = element as HTMLImageElement | HTMLVideoElement;
    if (shown instanceof HTMLImageElement) await shown.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    const drawing = canvas.getContext("2d");
    drawing?.drawImage(shown, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = drawing?.getImageData(0, 0, 1, 1).data ?? [];
    const most = Math.max(red, green, blue);
    if (most < 60) return "none";
    return most === red ? "red" : most === green ? "green" : "blue";
  });
}

test("a picture of the film becomes the cover in four taps", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await openFilm(page);
  await page.getByRole("button", { name: "用 0:02 的画面作封面" }).click();
  const dialog = page.getByRole("dialog");
  const picture = dialog.getByRole("img", { name: "裁切后的封面" });
  await expect.poll(() => colourOf(picture)).toBe("green");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "保存封面" }).click();
  await expect(dialog).toBeHidden();
  const cover = page.getByRole("button", { name: "播放预览" }).locator("img");
  await expect.poll(() => colourOf(cover)).toBe("green");
});

test("the exact moment is chosen, cut and seen before it is saved", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await openFilm(page);
  await page.getByRole("button", { name: "从影片里选" }).click();
  const dialog = page.getByRole("dialog");
  const picture = dialog.getByRole("img", { name: "裁切后的封面" });
  await expect.poll(() => colourOf(picture)).toBe("red");
  const time = dialog.getByRole("slider", { name: "时间" });
  await time.fill("4100");
  await expect.poll(() => colourOf(picture)).toBe("blue");
  await dialog.getByRole("button", { name: "−1 秒，后退" }).click();
  await expect(dialog.getByText("0:03.1")).toBeVisible();
  await expect.poll(() => colourOf(picture)).toBe("green");
  await dialog.getByRole("slider", { name: "放大" }).fill("2");
  await dialog.getByRole("slider", { name: "左右" }).fill("1");
  const place = await picture.evaluate((element) => (element as HTMLElement).style.left);
  expect(place).toBe("-100%");
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect(dialog).toBeHidden();
});

test("a picture of one's own is cut to a cover, and a wrong one is refused", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await openFilm(page);
  const chooser = page.getByLabel("上传图片");
  const wrong = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("not a picture") };
  await chooser.setInputFiles(wrong);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("图片无法读取");
  await dialog.getByRole("button", { name: "取消" }).click();
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 300;
    canvas.height = 300;
    const drawing = canvas.getContext("2d");
    if (drawing) drawing.fillStyle = "#d02020";
    drawing?.fillRect(0, 0, 300, 300);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  const buffer = Buffer.from(drawn, "base64");
  await chooser.setInputFiles({ name: "b.png", mimeType: "image/png", buffer });
  await expect.poll(() => colourOf(dialog.getByRole("img"))).toBe("red");
  await dialog.getByRole("button", { name: "保存封面" }).click();
  await expect(dialog).toBeHidden();
  const cover = page.getByRole("button", { name: "播放预览" }).locator("img");
  await expect.poll(() => colourOf(cover)).toBe("red");
  const ratio = await cover.evaluate((element) => {
    const { naturalWidth, naturalHeight } = element as HTMLImageElement;
    return naturalWidth / naturalHeight;
  });
  expect(ratio).toBeCloseTo(16 / 9, 1);
});

test("subtitles are added, replaced and removed", async ({ page, expected }) => {
  expected.allow(/422/);
  await logIn(page, "editor", "小王");
  await openFilm(page);
  await page.getByRole("button", { name: "字幕", exact: true }).click();
  await expect(page.getByText("还没有字幕")).toBeVisible();
  const chooser = page.getByLabel("字幕文件");
  const file = (text: string, name: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(text),
  });
  await chooser.setInputFiles(file("nothing that shows", "film.srt"));
  await page.getByRole("button", { name: "添加字幕" }).click();
  await expect(page.getByRole("alert")).toContainText("没有字幕内容");
  await expectAccessible(page);
  await chooser.setInputFiles(file(LINES, "film.en.srt"));
  await expect(page.getByLabel("语言")).toHaveValue("en");
  await page.getByRole("button", { name: "添加字幕" }).click();
  const tracks = page.getByRole("list", { name: "字幕轨道" });
  await expect(tracks.getByText("英语")).toBeVisible();
  await page.getByLabel("语言").selectOption("en");
  await expect(page.getByRole("button", { name: "替换字幕" })).toBeVisible();
  await page.getByRole("button", { name: "删除英语字幕" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await expect(page.getByText("还没有字幕")).toBeVisible();
});

test("plays and failures of a video are read in three taps", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await openFilm(page, "旅行清单第 1 期");
  await page.getByRole("button", { name: "数据", exact: true }).click();
  await expect(page.getByLabel("播放的总数").getByText("134", { exact: true })).toBeVisible();
  const health = page.getByLabel("播放的状况");
  await expect(health.getByText("5.8%")).toBeVisible();
  await expect(health.getByText("0.7 秒")).toBeVisible();
  await expect(page.getByText("许多访客失败")).toHaveCount(0);
  await expectAccessible(page);
});

test("a video plays as visitors see it, and hidden and removed ones too", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await openFilm(page);
  const plays = async () => {
    await page.getByRole("button", { name: "播放预览" }).click();
    const film = page.getByLabel(`预览：${FILM}`);
    await expect
      .poll(() => film.evaluate((element) => (element as HTMLVideoElement).currentTime))
      .toBeGreaterThan(0.1);
    await film.evaluate((element) => {
      const video = element as HTMLVideoElement;
      video.pause();
      video.currentTime = 4.5;
    });
    await expect.poll(() => colourOf(film)).toBe("blue");
  };
  await expect(page.getByRole("link", { name: "在网站上看" })).toHaveAttribute(
    "href",
    /^https:\/\/site\.example\/playVideo\?id=\d+$/,
  );
  await plays();
  await page.getByRole("button", { name: "用正在放的画面" }).click();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => colourOf(dialog.getByRole("img"))).toBe("blue");
  await dialog.getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "隐藏" }).click();
  await expect(page.getByText("已隐藏，访客看不到")).toBeVisible();
  await expect(page.getByRole("link", { name: "在网站上看" })).toHaveCount(0);
  await plays();
  await page.getByRole("button", { name: "移入回收站" }).click();
  await dialog.getByRole("button", { name: "移入回收站" }).click();
  await expect(page.getByText("在回收站里，访客看不到")).toBeVisible();
  await plays();
  await page.getByRole("button", { name: "恢复", exact: true }).click();
  await page.getByRole("button", { name: "恢复显示" }).click();
  await expect(page.getByRole("link", { name: "在网站上看" })).toBeVisible();
});

test("a viewer plays and reads, and changes nothing", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await openFilm(page);
  await expect(page.getByRole("button", { name: "播放预览" })).toBeVisible();
  await expect(page.getByText("换封面")).toHaveCount(0);
  await page.getByRole("button", { name: "字幕", exact: true }).click();
  await expect(page.getByText("还没有字幕")).toBeVisible();
  await expect(page.getByLabel("字幕文件")).toHaveCount(0);
});

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("the keyboard alone chooses a cover and reads the figures", async ({ page }) => {
    await logIn(page, "editor", "小王");
    await openFilm(page);
    const strip = page.getByRole("button", { name: "用 0:04 的画面作封面" });
    await strip.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect.poll(() => colourOf(dialog.getByRole("img"))).toBe("blue");
    await dialog.getByRole("slider", { name: "时间" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByText("0:04.1")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("button", { name: "数据", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("这 30 天还没有播放")).toBeVisible();
    await expectAccessible(page);
  });
});
