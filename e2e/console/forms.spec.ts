import type { Locator, Page } from "@playwright/test";
import { expect, logIn, test } from "../fixtures/console.ts";

/** Long forms: how each is opened, and its last field. */
const FORMS: readonly [name: string, open: (page: Page) => Promise<[Locator, Locator]>][] = [
  [
    "an advertisement",
    async (page) => {
      await page.goto("/content/ads");
      await page.getByRole("button", { name: "新建广告" }).tap();
      const form = page.getByRole("dialog", { name: "新建广告" });
      return [form, form.locator("input").last()];
    },
  ],
  [
    "a partner",
    async (page) => {
      await page.goto("/content/partners");
      await page.getByRole("button", { name: "新建合作方" }).tap();
      const form = page.getByRole("dialog", { name: "新建合作方" });
      return [form, form.getByLabel("WebSocket 地址")];
    },
  ],
  [
    "what the site calls itself",
    async (page) => {
      await page.goto("/content/site");
      return [page.locator("form"), page.locator("form textarea").last()];
    },
  ],
  [
    "what describes a video",
    async (page) => {
      await page.goto("/videos/101");
      return [page.locator("form.video-form"), page.getByLabel("简介")];
    },
  ],
];

for (const [name, open] of FORMS)
  test(`what saves ${name} is at hand on a phone, and covers no field`, async ({ page }) => {
    await logIn(page);
    const [form, last] = await open(page);
    const save = form.getByRole("button", { name: "保存" });
    await expect(last).toBeAttached();
    await form.locator("input").first().scrollIntoViewIfNeeded();
    await expect(save).toBeInViewport({ ratio: 1 });
    await last.focus();
    await expect(save).toBeInViewport({ ratio: 1 });
    const bar = page.locator(".save-bar");
    await expect
      .poll(async () => {
        const [field, above] = [await last.boundingBox(), await bar.boundingBox()];
        return field && above ? above.y - (field.y + field.height) : -1;
      })
      .toBeGreaterThanOrEqual(0);
  });

test("a choice is as high as a finger wants it", async ({ page }) => {
  await logIn(page);
  await page.goto("/figures");
  const box = await page.getByRole("button", { name: "30 天", exact: true }).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
});
