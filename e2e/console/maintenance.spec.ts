import { expect, expectAccessible, logIn, openPage, test } from "../fixtures/console.ts";
import { isShared } from "../fixtures/console-environment.ts";

// Elsewhere the page gives commands (backend/tests/console/maintenance), and what is to be mended lies in the folder.
test.skip(isShared, "the console backs up and mends data folders");
// One installation has one backup at a time.
test.describe.configure({ mode: "serial" });

/** Backups take seconds here, and a machine may be busy. */
const PATIENT = { timeout: 60_000 } as const;

test("a backup is made in three taps, goes on without the page, and is verified", async ({
  page,
}) => {
  await logIn(page);
  await expect(page.getByText("还没有备份", { exact: true })).toBeVisible();
  await openPage(page, "备份");
  await expectAccessible(page);
  await page.getByRole("button", { name: "现在备份" }).click();
  await expect(page.getByRole("status", { name: /备份/ }).first()).toBeVisible();
  await page.goto("/audit");
  await expect(page.getByText("开始备份").first()).toBeVisible();
  await page.goto("/backups");
  await expect(page.getByRole("status", { name: "上一次备份" })).toContainText(
    "已读回核对",
    PATIENT,
  );
  const file = page.getByRole("list", { name: "备份" }).getByRole("listitem").first();
  await expect(file.getByText("已核对")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/");
  await expect(page.getByText(/最近的备份：.*，没有定时/)).toBeVisible();
});

test("a backup is made daily at an hour, and so many are kept", async ({ page }) => {
  await logIn(page);
  await openPage(page, "备份");
  const card = page.getByRole("region", { name: "定时备份" });
  await card.getByLabel("每天几点").selectOption({ label: "23:00" });
  await card.getByLabel("保留几个").selectOption({ label: "14 个" });
  await card.getByRole("button", { name: "保存" }).click();
  await expect(card.getByText("已保存")).toBeVisible();
  await page.reload();
  await expect(card.getByLabel("每天几点").locator("option:checked")).toHaveText("23:00");
  await expect(card.getByLabel("保留几个").locator("option:checked")).toHaveText("14 个");
  await page.goto("/");
  await expect(page.getByText(/最近的备份：.*，每天定时/)).toBeVisible();
  await page.goto("/backups");
  await card.getByLabel("每天几点").selectOption({ label: "不定时备份" });
  await card.getByRole("button", { name: "保存" }).click();
  await expect(card.getByText("已保存")).toBeVisible();
});

test("a restore is drilled in three taps and a question, and removed again", async ({ page }) => {
  await logIn(page);
  await openPage(page, "备份");
  await page
    .getByRole("button", { name: /^演练恢复 liuying-/ })
    .first()
    .click();
  const question = page.getByRole("dialog", { name: "演练恢复？" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "开始演练" }).click();
  const card = page.getByRole("region", { name: "恢复演练" });
  await expect(card.getByRole("status", { name: "上一次演练" })).toContainText("演练完成", PATIENT);
  await expect(card.getByText(/SHA-256\s*全部相符/)).toBeVisible();
  // What came of it is said once.
  await expect(card.getByText("可以恢复")).toHaveCount(1);
  const videos = card.getByRole("row").filter({ hasText: "视频" });
  await expect(videos.getByRole("cell").nth(1)).toHaveText(/^\d+$/);
  await expectAccessible(page);
  await card.getByRole("button", { name: "删除演练的文件" }).click();
  await page
    .getByRole("dialog", { name: "删除演练的文件？" })
    .getByRole("button", { name: "确认删除" })
    .click();
  await expect(card.getByText("演练的文件已删除。")).toBeVisible();
  await expect(
    page.getByRole("list", { name: "换成备份的命令" }).getByText(/liuying restore/),
  ).toBeVisible();
});

test("a backup is fetched after a warning, and removed after a question", async ({ page }) => {
  await logIn(page);
  await openPage(page, "备份");
  await page
    .getByRole("button", { name: /^下载 / })
    .first()
    .click();
  const warning = page.getByRole("dialog", { name: "下载这个备份？" });
  await expect(warning.getByText(/密钥/)).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    warning.getByRole("button", { name: "我知道，下载" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^liuying-[0-9-]+\.tar$/);
  await download.cancel();
  await page.getByRole("button", { name: `删除 ${download.suggestedFilename()}` }).click();
  await page
    .getByRole("dialog", { name: "删除这个备份？" })
    .getByRole("button", { name: "确认删除" })
    .click();
  await expect(page.getByRole("list", { name: "备份" }).getByText(/^liuying-/)).toHaveCount(0);
});

test("the doctor is run and what he found is mended", async ({ page }) => {
  await logIn(page);
  await openPage(page, "体检");
  await page.getByRole("button", { name: "现在体检" }).click();
  await expect(page.getByRole("heading", { name: /上次体检/ })).toBeVisible(PATIENT);
  const orphan = page.getByRole("listitem").filter({ hasText: "没有任何记录指向" });
  await expect(orphan).toBeVisible();
  // What is advised is done here, or it is said that only the server can; no sentence is a command.
  await expect(orphan.getByText("不会再被用到，可以删除")).toBeVisible();
  await expect(page.locator(".row-meta").filter({ hasText: /liuying [a-z]/ })).toHaveCount(0);
  await expect(orphan).toContainText("1 个视频文件夹没有任何记录指向，不占空间");
  const broken = page.getByRole("listitem").filter({ hasText: "个任务失败" });
  await expect(broken.getByRole("link", { name: "打开导入队列" })).toBeVisible();
  const shell = page.getByRole("list", { name: "在服务器上执行的命令" });
  await expect(shell.getByText("liuying deploy nginx")).toBeVisible();
  await expectAccessible(page);
  await orphan.getByRole("button", { name: "删除这些文件" }).click();
  await page
    .getByRole("dialog", { name: "删除这些文件？" })
    .getByRole("button", { name: "确认删除这些文件" })
    .click();
  await expect(page.getByRole("status", { name: "上一次处理" })).toContainText(
    "删除了 1 项无用的文件",
    PATIENT,
  );
  await expect(orphan).toHaveCount(0, PATIENT);
  await page.goto("/");
  await expect(page.getByText(/体检发现 \d+ 个/)).toBeVisible();
});

test("others see how the installation is, and may do nothing about it", async ({ page }) => {
  await logIn(page, "viewer", "看客");
  await expect(page.getByText(/体检发现 \d+ 个/)).toBeVisible();
  await page.getByRole("link", { name: "查看体检" }).click();
  await expect(page.getByText(/由站长体检和处理/)).toBeVisible();
  await expect(page.getByRole("button", { name: "现在体检" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto("/more");
  await expect(page.getByRole("link", { name: "备份", exact: true })).toHaveCount(0);
});

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("a backup is made by the keyboard alone", async ({ page }) => {
    await logIn(page);
    await page.goto("/backups");
    const button = page.getByRole("button", { name: "现在备份" });
    await expect(button).toBeVisible();
    for (let presses = 0; presses < 40; presses += 1) {
      if (await button.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    const made = page.getByRole("list", { name: "备份" }).getByText(/^liuying-/);
    await expect(made).toHaveCount(1, PATIENT);
  });
});
