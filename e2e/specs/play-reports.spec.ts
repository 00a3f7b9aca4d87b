import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { beVisitor, freshCode } from "../pages/personal.ts";
import { PlayerPage } from "../pages/player.ts";
import { ShortFeedPage } from "../pages/short-feed.ts";

interface Report {
  readonly id: number;
  readonly event: string;
  readonly wait: number;
}

function reportsOf(page: Page): Report[] {
  const reports: Report[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/play/event")) reports.push(request.postDataJSON());
  });
  return reports;
}

test.beforeEach(async ({ page }) => beVisitor(page, freshCode()));

test("watching a short of 4 s to 75 % raises its views once, however often it runs", async ({
  page,
}) => {
  const reports = reportsOf(page);
  const counted = page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/play/event") &&
      response.request().postDataJSON().event === "view",
  );
  const feed = new ShortFeedPage(page);
  await feed.open();
  const answer = await counted;
  expect((await answer.json()).rescont.is_counted).toBe(true);
  // To its end, and once more from the beginning to the end: it begins again by seeking.
  await feed.videoOf("active", (video) => {
    video.playbackRate = 2;
    return new Promise<void>((resolve) => {
      let begun = 0;
      video.addEventListener("seeking", () => {
        begun += 1;
        if (begun === 2) resolve();
      });
    });
  });
  const views = reports.filter(({ event }) => event === "view");
  expect(views).toHaveLength(1);
  expect(views[0]?.id).toBe(Number(await feed.active.getAttribute("data-id")));
  expect(reports.filter(({ event }) => event === "start")).toHaveLength(1);
  expect(reports.filter(({ event }) => event === "stall")).toHaveLength(0);
});

test("the player reports its start, and a view after 75 %", async ({ page }) => {
  const reports = reportsOf(page);
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  await player.plays();
  await expect.poll(() => reports.map(({ event }) => event)).toContain("start");
  expect(reports.find(({ event }) => event === "start")?.wait).toBeLessThan(60_000);
  await player.video.evaluate((video: HTMLVideoElement) => {
    video.playbackRate = 2;
  });
  await expect
    .poll(() => reports.filter(({ event }) => event === "view").length, { timeout: 20_000 })
    .toBe(1);
  expect(reports.every(({ id }) => id === 2)).toBe(true);
});
