import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { beVisitor, favourite, favouriteTotal, freshCode, messageOf } from "../pages/personal.ts";

const INVALID = "请输入正确的资料识别码";
const LIMIT = "24小时内只能更改2次，请稍后再试!";
const DAY_MS = 86_400_000;
const THROTTLE_MS = 1000;

let code: string;

test.beforeEach(async ({ page }) => {
  code = freshCode();
  await page.clock.install();
  await beVisitor(page, code);
});

const field = (page: Page) => page.getByRole("textbox", { name: "新的资料识别码" });
const shownCode = (page: Page) => page.locator(".code-card .code-text");

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "更换", exact: true }).click();
  await expect(field(page)).toBeVisible();
}

async function enter(page: Page, wanted: string): Promise<void> {
  await field(page).fill(wanted);
  await page.clock.fastForward(THROTTLE_MS);
  await field(page).press("Enter");
}

test("the card shows the code in groups, copies it and enlarges its QR code", async ({
  page,
  context,
  finger,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/mine");
  await expect(shownCode(page).locator("span")).toHaveText([
    code.slice(0, 4),
    code.slice(4, 8),
    code.slice(8),
  ]);
  await finger.press(page.getByRole("button", { name: "复制" }));
  await expect(messageOf(page)).toHaveText("已复制识别码");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await finger.press(page.getByRole("button", { name: "放大识别码二维码" }));
  const sheet = page.getByRole("dialog", { name: "识别码二维码" });
  await expect(sheet.getByRole("img", { name: "识别码二维码" })).toBeVisible();
  await finger.press(sheet.getByRole("button", { name: "关闭" }).last());
  await expect(sheet).toHaveCount(0);
});

test("a code of a wrong form, and the code that one has, are refused in words", async ({
  page,
}) => {
  await page.goto("/mine");
  await openDialog(page);
  for (const wrong of ["", "abc12", "ABCDEF1", "abc-123", "识别码识别码"]) {
    await enter(page, wrong);
    await expect(page.getByRole("alert")).toHaveText(INVALID);
  }
  await enter(page, code);
  await expect(page.getByRole("alert")).toHaveText("资料识别码未变更");
  await field(page).fill("");
  await field(page).pressSequentially("abcdefghijklmnop");
  await expect(field(page)).toHaveValue("abcdefghijkl");
});

test("short codes come with a warning", async ({ page }) => {
  await page.goto("/mine");
  await openDialog(page);
  const warning = page.getByText("容易被别人猜到");
  await field(page).fill("abc123456");
  await expect(warning).toBeVisible();
  await field(page).fill("abc1234567");
  await expect(warning).toHaveCount(0);
});

test("favourites come along, twice in 24 hours and no third time", async ({ page }) => {
  await favourite(page.request, code, [1, 2]);
  await page.goto("/mine");
  await expect(page.locator(".mine-count")).toHaveText("2");
  for (const left of [1, 0]) {
    const wanted = freshCode();
    await openDialog(page);
    await enter(page, wanted);
    await expect(messageOf(page)).toHaveText(
      `资料识别码已变更，请牢记保存！今日剩馀变更次数：${left}`,
    );
    await expect(shownCode(page)).toHaveText(wanted);
    await expect(page.locator(".mine-count")).toHaveText("2");
    expect(await favouriteTotal(page.request, wanted)).toBe(2);
  }
  await openDialog(page);
  await enter(page, freshCode());
  await expect(page.getByRole("alert")).toHaveText(LIMIT);
  const counter = await page.evaluate(() =>
    JSON.parse(localStorage.getItem("codeChange") ?? "null"),
  );
  expect(counter.used).toBe(2);
  expect(Math.abs(Date.now() - counter.timestamp)).toBeLessThan(60_000);
});

test("the server keeps the limit where the counter was thrown away", async ({ page, expected }) => {
  expected.allow(/429/);
  await page.goto("/mine");
  for (let change = 0; change < 3; change += 1) {
    await page.evaluate(() => localStorage.removeItem("codeChange"));
    await openDialog(page);
    await enter(page, freshCode());
    if (change < 2) await expect(messageOf(page)).toContainText("资料识别码已变更");
  }
  await expect(page.getByRole("alert")).toHaveText(LIMIT);
});

test("a counter of yesterday does not count", async ({ page }) => {
  await page.addInitScript((timestamp) => {
    localStorage.setItem("codeChange", JSON.stringify({ timestamp, used: 2 }));
  }, Date.now() - DAY_MS);
  await page.goto("/mine");
  await openDialog(page);
  await enter(page, freshCode());
  await expect(messageOf(page)).toContainText("今日剩馀变更次数：1");
});

test("entering the code of another device shows that device's favourites", async ({ page }) => {
  const other = freshCode();
  await favourite(page.request, other, [1, 2, 1000]);
  await page.goto("/mine");
  await expect(page.locator(".mine-count")).toHaveText("0");
  await openDialog(page);
  await enter(page, other);
  await expect(page.locator(".mine-count")).toHaveText("3");
  await page.getByRole("link", { name: /我喜欢的/ }).click();
  await expect(page.locator(".collect-tile")).toHaveCount(3);
});

test("favourites and history travel as a file to another code, without the code in it", async ({
  page,
  expected,
}) => {
  // One of the file's videos is locked, another is gone.
  expected.allow(/40[34] \(/);
  await favourite(page.request, code, [1, 2]);
  await page.goto("/mine");
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: /导出收藏和历史/ }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^liuying-\d{4}-\d\d-\d\d\.json$/);
  const path = await download.path();
  const text = await readFile(path, "utf8");
  expect(text).not.toContain(code);
  expect(JSON.parse(text)).toMatchObject({
    format: "liuying-backup",
    version: 1,
    favourites: [2, 1],
    history: [],
  });

  const brought = {
    ...JSON.parse(text),
    favourites: [2, 9, 424_242, 1],
    history: [{ id: 5, title: "旧视频", coverbase64: { url: "" } }, 7],
  };
  const other = freshCode();
  await page.evaluate((next) => localStorage.setItem("uuid", next), other);
  await page.reload();
  const picker = page.getByLabel("选择备份文件");
  await picker.setInputFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(brought)),
  });
  await expect(messageOf(page)).toHaveText("已导入 2 个收藏、1 条历史，2 个视频已无法收藏");
  await expect(page.locator(".mine-count")).toHaveText("2");
  await page.goto("/collectVideo?type=favorite");
  await expect(page.locator(".collect-tile .tile-title")).toHaveText([
    "海边的一整个下午",
    "真实的蝴蝶停在花上",
  ]);
  await page.goto("/collectVideo?type=history");
  await expect(page.locator(".collect-tile .tile-title")).toHaveText(["旧视频"]);
});

test("a file that is not ours changes nothing", async ({ page }) => {
  await page.goto("/mine");
  for (const garbage of ["", "{", "[1,2]", '{"format":"other"}', "�".repeat(1000)]) {
    await page.getByLabel("选择备份文件").setInputFiles({
      name: "b.json",
      mimeType: "application/json",
      buffer: Buffer.from(garbage),
    });
    await expect(messageOf(page)).toHaveText("这不是本站导出的文件");
    await messageOf(page).locator("button").first().click();
    await expect(messageOf(page)).toHaveCount(0);
  }
  expect(await favouriteTotal(page.request, code)).toBe(0);
});
