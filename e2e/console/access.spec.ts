import {
  expect,
  expectAccessible,
  logIn,
  oneTimeAddress,
  openPage,
  test,
  virtualAuthenticator,
} from "../fixtures/console.ts";

test("a one-time address opens a session once, and leaves the address bar", async ({
  page,
  browser,
  expected,
}) => {
  const address = oneTimeAddress();
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  // Somebody who read it on the way, or in the history.
  const other = await (await browser.newContext()).newPage();
  await other.goto(address);
  await expect(other.getByRole("alert")).toContainText("已经用过");
  expect(await other.context().cookies()).toEqual([]);
  await other.context().close();
  expected.allow(/401/);
});

test("without a session every page leads to the login", async ({ page, expected }) => {
  expected.allow(/401/);
  for (const path of ["/", "/audit", "/sessions"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
  await expectAccessible(page);
});

test("a passkey that was enrolled opens a later session", async ({ page, expected }) => {
  expected.allow(/401/);
  await virtualAuthenticator(page);
  await logIn(page, "owner", "老板");
  await openPage(page, "登录与密钥");
  await page.getByRole("button", { name: "登记这台设备" }).click();
  await page.getByRole("button", { name: "登记", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("请给它起个名字");
  await page.getByLabel(/名称/).fill("测试手机");
  await page.getByRole("button", { name: "登记", exact: true }).click();
  await expect(page.getByText("测试手机")).toBeVisible();
  await page.getByRole("button", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole("button", { name: "用通行密钥登录" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "总览" })).toBeVisible();
  await openPage(page, "登录与密钥");
  await page.getByRole("button", { name: "移除 测试手机" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "移除" }).click();
  // The session was opened by it.
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole("button", { name: "用通行密钥登录" }).click();
  await expect(page.getByRole("alert")).toContainText("不能打开控制台");
});

test("a session that is ended elsewhere leads to the login", async ({
  page,
  browser,
  expected,
}) => {
  expected.allow(/401/);
  const context = await browser.newContext();
  const other = await context.newPage();
  await logIn(other, "editor", "小李");
  await logIn(page);
  await page.goto("/sessions");
  await page.getByRole("button", { name: /结束 小李/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "结束" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("小李")).toHaveCount(0);
  await openPage(other, "登录与密钥");
  await other.reload();
  await expect(other).toHaveURL(/\/login$/);
  await context.close();
});

test("an editor sees no page of the owner's", async ({ page, expected }) => {
  await logIn(page, "editor", "小王");
  await expect(page.getByRole("link", { name: "操作记录" })).toHaveCount(0);
  expected.allow(/403/);
  await page.goto("/audit");
  await expect(page.getByRole("alert")).toContainText("没有权限");
});
