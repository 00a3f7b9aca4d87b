import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { beVisitor, freshCode } from "../pages/personal.ts";
import { PlayerPage } from "../pages/player.ts";

const form = (page: Page) => page.getByRole("dialog", { name: "意见反馈" });

test.beforeEach(async ({ page }) => {
  await beVisitor(page, freshCode());
});

test("a video is reported without saying who, and the receipt tells what became of it", async ({
  page,
  finger,
}) => {
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  await page.getByRole("button", { name: "反馈", exact: true }).click();
  await form(page).getByRole("button", { name: "举报视频" }).click();
  await expect(form(page).getByText("要举报的视频")).toBeVisible();
  await form(page).getByText("其他", { exact: true }).click();
  await finger.press(form(page).getByRole("button", { name: "提交举报" }));
  await expect(form(page).getByRole("alert")).toHaveText("请说明举报的原因");
  await form(page).getByRole("textbox", { name: "说明" }).fill("  片头是别人的作品  ");
  const asked = page.waitForRequest("**/api/report");
  await finger.press(form(page).getByRole("button", { name: "提交举报" }));
  const request = await asked;
  expect(request.postDataJSON()).toMatchObject({
    reason: "其他",
    content: "片头是别人的作品",
    contact: "",
  });
  expect(request.headers()["x-visitor-code"]).toBeUndefined();
  const receipt = form(page).getByLabel("回执", { exact: true });
  await expect(receipt).toHaveText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  const typed = (await receipt.textContent())?.toLowerCase().replaceAll("-", " ") ?? "";

  await form(page).getByRole("button", { name: "举报结果" }).click();
  await form(page).getByRole("textbox", { name: "举报回执" }).fill(typed);
  await finger.press(form(page).getByRole("button", { name: "查询" }));
  await expect(form(page).getByRole("heading", { name: "已收到，等待处理" })).toBeVisible();
});

test("a receipt that nobody was given says so", async ({ page, finger, expected }) => {
  expected.allow(/404/);
  await page.goto("/mine");
  await page.getByRole("button", { name: "意见反馈" }).click();
  await expect(form(page).getByRole("button", { name: "举报视频" })).toHaveCount(0);
  await form(page).getByRole("button", { name: "举报结果" }).click();
  await form(page).getByRole("textbox", { name: "举报回执" }).fill("0000-0000-0000");
  // The browser reports the refusal too; that is what is wanted here.
  await finger.press(form(page).getByRole("button", { name: "查询" }));
  await expect(form(page).getByRole("alert")).toHaveText("没有这个回执，请核对后再试");
});
