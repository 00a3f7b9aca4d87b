import type { Request } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";

const PATH = "/api/ad/event";

test("advertisements that are seen and followed are counted, without the data code", async ({
  page,
  context,
}) => {
  // Where it leads is not looked at.
  await context.route(
    (url) => !["127.0.0.1", "localhost"].includes(url.hostname),
    (route) => route.fulfill({ body: "" }),
  );
  await new HomePage(page).open();
  const ad = page.locator(".ad-tile").first();
  const id = Number(await ad.getAttribute("data-ad"));
  const seen = page.waitForRequest((request) => countsOf(request).views.includes(id));
  await ad.scrollIntoViewIfNeeded();
  await page.mouse.move(100, 300);
  const views = await seen;
  expect(Object.keys(views.headers())).not.toContain("x-visitor-code");
  expect((await views.response())?.status()).toBe(200);

  const followed = page.waitForRequest((request) => countsOf(request).clicks.length > 0);
  await ad.click();
  expect(countsOf(await followed).clicks).toEqual([id]);
});

/** What a call counts; nothing for other calls. */
function countsOf(request: Request): { views: number[]; clicks: number[] } {
  if (new URL(request.url()).pathname !== PATH) return { views: [], clicks: [] };
  return request.postDataJSON() as { views: number[]; clicks: number[] };
}
