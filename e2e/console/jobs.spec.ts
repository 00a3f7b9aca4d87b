import { expect, expectAccessible, logIn, test } from "../fixtures/console.ts";

test("a failed import says why, and is tried again in three taps", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.getByRole("link", { name: "查看失败的导入" }).click();
  await expect(page.getByText(/无法继续解码/)).toBeVisible();
  await expect(page.getByText("处理进程反复中断")).toBeVisible();
  await expect(page.getByText("夜景.mp4")).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "重试 断电的夜晚.mkv" }).click();
  await expect(page.getByText("处理进程反复中断")).toBeHidden();
  await page.getByLabel("状态").selectOption({ label: "进行中" });
  await expect(page.getByText(/42%，还要/)).toBeVisible();
});

test("a film that looks like one that was taken down waits for a decision", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.getByRole("link", { name: "去决定" }).click();
  const held = page.getByRole("listitem").filter({ hasText: "换了片头.mp4" });
  await expect(held).toContainText("本片 0:32–1:08");
  await expect(held).toContainText("等你决定");
  await held.getByRole("button", { name: "看看 换了片头.mp4" }).click();
  const dialog = page.getByRole("dialog", { name: "仍要导入？" });
  const film = dialog.getByLabel("换了片头.mp4");
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "仍要导入" }).click();
  await expect(held).toHaveCount(0);
});

test("records of imports that ended are cleared after a question", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/jobs?state=failed");
  await page.getByRole("button", { name: "清理这些记录" }).click();
  const question = page.getByRole("dialog", { name: "清理“失败”的记录？" });
  await expect(question).toContainText("视频和等你决定的不受影响");
  await expectAccessible(page);
  await question.getByRole("button", { name: "取消" }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText(/无法继续解码/)).toBeVisible();
  await page.goto("/jobs?state=cancelled");
  await expect(page.getByText("不要了.mp4")).toBeVisible();
  await page.getByRole("button", { name: "清理这些记录" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "清理" }).click();
  await expect(page.getByText("不要了.mp4")).toHaveCount(0);
  await expect(page.getByText("没有这样的任务")).toBeVisible();
});

test("all failed imports are tried again after a question", async ({ page }) => {
  await logIn(page, "editor", "小王");
  await page.goto("/jobs?state=failed");
  await page.getByRole("button", { name: "全部重试" }).click();
  const question = page.getByRole("dialog", { name: /^重试 \d+ 个失败的导入？$/ });
  await expect(question).toContainText("等你决定的不受影响");
  await expectAccessible(page);
  // Other tests look at what failed: the call is answered here (backend/tests/console/test_jobs.py).
  await page.route("**/api/jobs/retry-failed", (route) =>
    route.fulfill({ json: { msg: "", rescont: { retried: 2 } } }),
  );
  const asked = page.waitForRequest("**/api/jobs/retry-failed");
  await question.getByRole("button", { name: "全部重试" }).click();
  expect((await asked).method()).toBe("POST");
  await expect(question).toBeHidden();
  await page.goto("/jobs?state=cancelled");
  await expect(page.getByRole("button", { name: "全部重试" })).toHaveCount(0);
});
