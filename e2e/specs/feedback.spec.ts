import type { Page, Request } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { beVisitor, freshCode, messageOf } from "../pages/personal.ts";
import { PlayerPage } from "../pages/player.ts";

const TEXT = "播放到一半画面卡住，声音还在继续";

let code: string;

test.beforeEach(async ({ page }) => {
  code = freshCode();
  await beVisitor(page, code);
});

const form = (page: Page) => page.getByRole("dialog", { name: "意见反馈" });
const field = (page: Page) => form(page).getByRole("textbox", { name: "详情描述" });
const submit = (page: Page) => form(page).getByRole("button", { name: /提交/ });

async function openFromMine(page: Page): Promise<void> {
  await page.goto("/mine");
  await page.getByRole("button", { name: "意见反馈" }).click();
  await expect(field(page)).toBeVisible();
}

/** The feedback calls that the page sends. */
function sentBy(page: Page): Request[] {
  const sent: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/syssuggest")) sent.push(request);
  });
  return sent;
}

test("a description must be there, and have 8 to 180 characters", async ({ page, finger }) => {
  const sent = sentBy(page);
  await openFromMine(page);
  await finger.press(submit(page));
  await expect(form(page).getByRole("alert")).toHaveText("详情描述不能为空");
  for (const wrong of ["  太短了  ", "😀".repeat(7), "长".repeat(181)]) {
    await field(page).fill(wrong);
    await finger.press(submit(page));
    await expect(form(page).getByRole("alert")).toHaveText("详情描述仅能介于 8 ~ 180 个字符");
  }
  await expect(form(page).getByText("181 / 180")).toBeVisible();
  expect(sent).toHaveLength(0);
});

test("feedback about the site is sent once, without diagnostics, and thanked for", async ({
  page,
}) => {
  const sent = sentBy(page);
  await page.route("**/api/syssuggest", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await openFromMine(page);
  await expect(form(page).getByRole("radio")).toHaveCount(7);
  await expect(form(page).getByRole("radio", { name: "无法播放" })).toBeChecked();
  await expect(form(page).getByRole("checkbox")).not.toBeChecked();
  await form(page).getByText("其他").click();
  await field(page).fill(`  ${TEXT}  `);
  await submit(page).evaluate((element: HTMLElement) => {
    for (let press = 0; press < 3; press += 1) element.click();
  });
  await expect(messageOf(page)).toHaveText("提交成功，感谢您的反馈！");
  await expect(form(page)).toHaveCount(0);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.postDataJSON()).toMatchObject({
    device: 2,
    title: "其他",
    content: TEXT,
    video_id: "",
    diagnostics: null,
  });
  expect(sent[0]?.headers()["x-visitor-code"]).toBe(code);
  await page.getByRole("button", { name: "意见反馈" }).click();
  await expect(field(page)).toHaveValue("");
});

test("feedback about a video names it, and attaches diagnostics with consent", async ({
  page,
  finger,
}) => {
  const sent = sentBy(page);
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  await player.plays();
  await finger.press(page.getByRole("button", { name: "反馈", exact: true }));
  await expect(form(page).getByText("海边的一整个下午")).toBeVisible();
  await form(page).getByText("播放卡顿").click();
  await field(page).fill(TEXT);
  await form(page)
    .getByRole("checkbox", { name: /附上诊断信息/ })
    .check();
  await finger.press(submit(page));
  await expect(messageOf(page)).toHaveText("提交成功，感谢您的反馈！");
  const body = sent[0]?.postDataJSON();
  expect(body).toMatchObject({
    title: "播放卡顿",
    video_id: 2,
    diagnostics: { online: true, screen: "390x844@1" },
  });
  expect(body.diagnostics.position).toBeGreaterThan(0);
  await expect(page).toHaveURL(/playVideo/);
});

test("the text stays where sending fails, and where the form was closed by accident", async ({
  page,
  finger,
  expected,
}) => {
  expected.allow(/ERR_FAILED/);
  await page.route("**/api/syssuggest", (route) => route.abort());
  await openFromMine(page);
  await field(page).fill(TEXT);
  await finger.press(submit(page));
  await expect(form(page).getByRole("alert")).toHaveText("网络异常，请稍后重试");
  await expect(field(page)).toHaveValue(TEXT);
  await page.goBack();
  await expect(form(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/mine$/);
  await page.getByRole("button", { name: "意见反馈" }).click();
  await expect(field(page)).toHaveValue(TEXT);
  await page.unroute("**/api/syssuggest");
  await finger.press(submit(page));
  await expect(messageOf(page)).toHaveText("提交成功，感谢您的反馈！");
});
