import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { PlayerPage } from "../pages/player.ts";
import { SearchPage } from "../pages/search.ts";
import { VideoListPage } from "../pages/video-list.ts";

// The last files of a run: the workers share what is left.
test.describe.configure({ mode: "parallel" });

/** Every key of specification §3, and the site's own beside them. */
const LOCAL = [
  "uuid",
  "vuid",
  "lastReadTimestamp",
  "bannerType",
  "listStr",
  "shareVideos",
  "CM-H5:history",
  "codeChange",
  "seek-hint-shown",
  "ad-tracking:https://example.com/",
  "token",
  "xbbBonus",
  "theme",
  "findTab",
  "favourites",
];

const GARBAGE = [
  "",
  "null",
  "undefined",
  "[]",
  "{}",
  "[null]",
  '[{"id":"x"}]',
  "{",
  "<b>",
  "-1",
  "NaN",
  "�".repeat(5000),
];

async function fillStorage(page: Page, text: string): Promise<void> {
  await page.addInitScript(
    ([keys, value]) => {
      for (const key of keys) localStorage.setItem(key, value);
      sessionStorage.setItem("videoId", value);
    },
    [LOCAL, text] as const,
  );
}

async function browse(page: Page): Promise<void> {
  await new HomePage(page).open();
  await new VideoListPage(page).open();
  const search = new SearchPage(page);
  await search.open();
  await expect(search.field).toBeVisible();
  const player = new PlayerPage(page);
  await player.open(1);
  await player.presentedFrames(3);
}

/** The screens of what belongs to the visitor. */
async function browsePersonal(page: Page): Promise<void> {
  await page.goto("/collectVideo?type=favorite");
  await expect(page.getByText("还没有喜欢的视频")).toBeVisible();
  await page.goto("/favorites");
  await expect(page.getByRole("heading", { name: "看看" })).toBeVisible();
  await page.goto("/mine");
  await expect(page.locator(".code-card .code-text span").first()).toBeVisible();
  await expect(page.locator(".mine-count")).toHaveText("0");
}

for (const text of GARBAGE) {
  test(`the site runs with ${JSON.stringify(text.slice(0, 12))} in every place of the storage`, async ({
    page,
  }) => {
    await fillStorage(page, text);
    await browse(page);
    await page.goto("/mine");
    await expect(page.locator(".mine")).toBeVisible();
    await page.goto("/collectVideo?type=history");
    await expect(page.getByRole("heading", { name: "观看历史" })).toBeVisible();
    await browsePersonal(page);
  });
}

for (const name of ["localStorage", "sessionStorage"] as const) {
  test(`the site runs where ${name} is blocked`, async ({ page }) => {
    await page.addInitScript((blocked) => {
      Object.defineProperty(window, blocked, {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    }, name);
    await browse(page);
    await browsePersonal(page);
  });
}

test("the site runs where the storage is full", async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await browse(page);
  await browsePersonal(page);
});
