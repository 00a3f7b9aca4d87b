import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { SearchPage } from "../pages/search.ts";
import { VideoListPage } from "../pages/video-list.ts";

const DEBOUNCE_MS = 1000;

test("suggestions wait for a second without typing, and are asked once", async ({
  page,
  context,
}) => {
  const search = new SearchPage(page);
  await page.clock.install();
  await search.open();
  await expect(search.field).toBeFocused();
  await page.clock.pauseAt(Date.now() + 60_000);
  const requests = watchRequests(context, /^\/api\/videosuggest\?/);
  for (const sign of "haibi") {
    await search.field.press(sign);
    await page.clock.runFor(DEBOUNCE_MS - 100);
  }
  expect(requests).toEqual([]);
  await page.clock.runFor(100);
  await expect(search.suggestions.filter({ hasText: "海边的一整个下午" })).toBeVisible();
  expect(requests).toEqual(["GET /api/videosuggest?q=haibi"]);
});

test("a suggestion is chosen by a tap", async ({ page, finger }) => {
  const search = new SearchPage(page);
  await search.open();
  const reported = page.waitForRequest((request) => request.url().endsWith("/api/search/event"));
  await search.field.fill("海边的");
  await finger.press(search.suggestions.filter({ hasText: "海边的一整个下午" }));
  await expect(page).toHaveURL(/\/searchList\?search=/);
  await expect(new VideoListPage(page).titleOf(0)).toHaveText("海边的一整个下午");
  expect((await reported).postDataJSON()).toEqual({ term: "海边的一整个下午" });
});

test("a suggestion is chosen by the keys, and Escape puts them away", async ({ page }) => {
  const search = new SearchPage(page);
  await search.open();
  await search.field.fill("haibian");
  await expect(search.field).toHaveAttribute("aria-expanded", "true");
  await search.field.press("ArrowDown");
  const first = search.suggestions.first();
  await expect(first).toHaveAttribute("aria-selected", "true");
  await expect(search.field).toHaveAttribute(
    "aria-activedescendant",
    (await first.getAttribute("id")) ?? "none",
  );
  await search.field.press("ArrowUp");
  await expect(first).toHaveAttribute("aria-selected", "false");
  await search.field.press("Escape");
  await expect(search.suggestions).toHaveCount(0);
  await expect(search.field).toHaveValue("haibian");
  await search.field.fill("haibiand");
  await expect(search.suggestions.first()).toBeVisible();
  await search.field.press("ArrowDown");
  await search.field.press("Enter");
  await expect(page).toHaveURL(/\/searchList\?search=/);
});

test("an answer for a text that has changed is not waited for", async ({ page, expected }) => {
  const search = new SearchPage(page);
  expected.allow(/ERR_ABORTED|net::/);
  const aborted = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("videosuggest?q=hai"),
  );
  await page.route(/videosuggest\?q=hai$/, () => new Promise(() => {})); // never answered
  await search.open();
  await search.field.fill("hai");
  await page.waitForRequest(/videosuggest\?q=hai$/);
  await search.field.fill("海边");
  await aborted;
  await expect(search.suggestions.first()).toBeVisible();
});

test("what matched is marked in the titles", async ({ page }) => {
  await page.goto("/searchList?search=海边 下午");
  const title = new VideoListPage(page).titleOf(0);
  await expect(title).toHaveText("海边的一整个下午");
  await expect(title.locator("mark")).toHaveText(["海边", "下午"]);
});

test("where nothing is found, related words lead on", async ({ page, finger }) => {
  await page.goto("/searchList?search=海边量子乌龟");
  const related = page.getByRole("region", { name: "试试这些" });
  await expect(related).toBeVisible();
  await finger.press(related.getByRole("link", { name: "海边" }));
  await expect(new VideoListPage(page).titleOf(0)).toHaveText("海边的一整个下午");
});
