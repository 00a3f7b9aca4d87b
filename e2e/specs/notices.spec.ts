import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { enter } from "../fixtures/partner.ts";
import { expect, test } from "../fixtures/test.ts";

/** Nobody listens at the counter's address during these tests. */
const UNCOUNTED = /ERR_CONNECTION_REFUSED.*\/hit/;
const PAYLOADS: string[] = JSON.parse(
  readFileSync(new URL("../fixtures/hostile-html.json", import.meta.url), "utf8"),
);

/** Everything that a page which obeys its policy never does. */
async function watch(
  page: Page,
): Promise<{ readonly reports: string[]; readonly foreign: string[] }> {
  const reports: string[] = [];
  const foreign: string[] = [];
  await page.exposeFunction("reportViolation", (text: string) => void reports.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      (window as unknown as { reportViolation(text: string): void }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      ),
    );
  });
  page.on("request", (request) => {
    const { hostname } = new URL(request.url());
    if (hostname === "example.com") foreign.push(request.url());
  });
  page.on("dialog", (dialog) => {
    reports.push(dialog.message());
    void dialog.dismiss();
  });
  return { reports, foreign };
}

const hasRun = (page: Page) => page.evaluate(() => "__ran" in window);

test("40 hostile notices, written past every check, are drawn and none runs", async ({
  page,
  expected,
}) => {
  expected.allow(UNCOUNTED);
  expect(PAYLOADS).toHaveLength(40);
  const seen = await watch(page);
  await enter(page, "/mine?panel=notice");
  const cards = page.locator(".notice-card");
  await expect(cards).toHaveCount(PAYLOADS.length);
  await expect(page.getByRole("heading", { name: "公告39" })).toBeAttached();
  // What may be pressed is pressed, what may be crossed is crossed.
  for (const target of await page.locator(".notice-text *").all())
    await target.dispatchEvent("mouseover");
  const links = page.locator(".notice-text a[href]");
  for (const href of await links.evaluateAll((all) =>
    all.map((one) => (one as HTMLAnchorElement).protocol),
  )) {
    expect(["http:", "https:"]).toContain(href);
  }
  await page.locator(".notice-text").evaluateAll((texts) => {
    for (const text of texts)
      for (const one of text.querySelectorAll<HTMLElement>("a:not([href]), p, b")) one.click();
  });
  const left = await page
    .locator(".notice-text *")
    .evaluateAll((all) =>
      all
        .flatMap((one) => [one.tagName, ...one.getAttributeNames().map((name) => `@${name}`)])
        .filter((name) =>
          /^(SCRIPT|IMG|SVG|MATH|IFRAME|OBJECT|EMBED|FORM|INPUT|BUTTON|STYLE|LINK|META|BASE|VIDEO|AUDIO|@on|@style|@id|@name)/i.test(
            name,
          ),
        ),
    );
  expect(left).toEqual([]);
  await page.waitForTimeout(500);
  expect(await hasRun(page)).toBe(false);
  expect(seen.reports).toEqual([]);
  expect(seen.foreign).toEqual([]);
});

test("words whose link leads nowhere do not look like a link", async ({ page }) => {
  const content =
    '<p>请<a href="javascript:alert(1)">看<b>这里</b></a>，<a>或者</a><a href="https://example.com/">那里</a></p>';
  await page.route("**/api/sysnotice", (route) =>
    route.fulfill({
      json: {
        code: 200,
        msg: "ok",
        rescont: { data: [{ id: 1, title: "公告", content, updated_at: "2026-11-24T00:00:00Z" }] },
      },
    }),
  );
  await page.goto("/mine?panel=notice");
  const text = page.locator(".notice-text");
  await expect(text).toHaveText("请看这里，或者那里");
  await expect(text.locator("a")).toHaveText(["那里"]);
});

test("an advertisement's address is http or https, or the advertisement leads nowhere", async ({
  page,
  expected,
}) => {
  expected.allow(UNCOUNTED);
  const seen = await watch(page);
  await enter(page);
  for (const path of ["/home", "/mine", "/playVideo?id=1", "/list?typeId=0&orderby=new"]) {
    if (path !== "/home") await page.goto(new URL(path, page.url()).href);
    await expect(page.locator("a[href]").first()).toBeVisible();
    await page.waitForLoadState("load");
    await page.waitForTimeout(700);
    const protocols = await page
      .locator("a[href], area[href], form[action]")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol ?? ""));
    expect(protocols.filter((protocol) => !["http:", "https:"].includes(protocol))).toEqual([]);
  }
  await page.goto(new URL("/mine", page.url()).href);
  await expect(page.getByText("链接7").first()).toBeVisible();
  await expect(page.getByText("链接0")).toHaveCount(0);
  expect(await hasRun(page)).toBe(false);
  expect(seen.reports).toEqual([]);
});
