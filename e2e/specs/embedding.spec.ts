import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Frame, Page } from "@playwright/test";
import { enter, HOST_ORIGIN, OTHER_ORIGIN, PARTNER_SITE, signCode } from "../fixtures/partner.ts";
import { expect, test } from "../fixtures/test.ts";

const UNAUTHORIZED = /status of 401/;
const example = readFileSync(new URL("../../docs/examples/partner.html", import.meta.url), "utf8");

/** Reports that reached the operator's counter. */
const reports: { path: string; name: string; visitor: string }[] = [];
let counter: Server;

test.beforeAll(async () => {
  counter = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (request.method === "POST") reports.push(JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) =>
    counter.listen(Number(process.env.E2E_COUNTER_PORT), "127.0.0.1", resolve),
  );
});
test.afterAll(() => counter.close());

/** The partner's page as the documentation shows it, with its two addresses filled in. */
async function openHost(page: Page, origin: string, signs = async () => signCode()): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/liuying-code") await route.fulfill({ json: { code: await signs() } });
    else if (pathname === "/") {
      await route.fulfill({
        contentType: "text/html",
        body: example.replace("https://site.example", PARTNER_SITE),
      });
    } else await route.fulfill({ status: 204 });
  });
  await page.goto(`${origin}/`);
}

async function siteFrame(page: Page): Promise<Frame> {
  await page.locator("iframe").waitFor();
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain(`${PARTNER_SITE}/home`);
  const frame = page.frames().find((one) => one.url().startsWith(PARTNER_SITE));
  if (!frame) throw new Error("no frame of the site");
  return frame;
}

test("the example page opens the site in a frame, with a session and without a way out", async ({
  page,
}) => {
  await openHost(page, HOST_ORIGIN);
  const frame = await siteFrame(page);
  await expect(frame.getByRole("region", { name: "推荐" }).getByRole("link").first()).toBeVisible();
  await expect(frame.locator("html")).toHaveClass(/is-framed/);
  await frame.goto(`${PARTNER_SITE}/mine`);
  const full = frame.getByRole("link", { name: "打开完整站点" });
  await expect(full).toHaveAttribute("href", "https://full.example/home");
  await expect(full).toHaveAttribute("target", "_blank");
  await expect(frame.getByRole("link", { name: "推广中心" })).toHaveAttribute(
    "href",
    "https://acme.example/promo",
  );
  // Third-party mode: no exchange links, no community.
  await expect(frame.getByText("链接7")).toHaveCount(2);
});

test("a host that answers every question for a session is asked for none on arrival", async ({
  page,
}) => {
  let codes = 0;
  await openHost(page, HOST_ORIGIN, async () => {
    codes += 1;
    // As slow as a partner's server may be: an answer to a needless question would come late.
    await new Promise((resume) => setTimeout(resume, 1500));
    return signCode();
  });
  const frame = await siteFrame(page);
  await expect(frame.getByRole("region", { name: "推荐" }).getByRole("link").first()).toBeVisible();
  expect(codes).toBe(1);
  // Its session ends: it asks once, arrives anew, and goes on where it was.
  const arrivals: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) arrivals.push(new URL(request.url()).pathname);
  });
  await frame.evaluate(() => {
    location.replace("/vendor?logout=logout");
  });
  await expect.poll(() => codes).toBe(2);
  const again = await siteFrame(page);
  await expect(again.getByRole("region", { name: "推荐" }).getByRole("link").first()).toBeVisible();
  expect([codes, arrivals.filter((path) => path === "/vendor").length]).toEqual([2, 2]);
});

test("codes that are refused again and again are asked for once", async ({ page, expected }) => {
  expected.allow(UNAUTHORIZED);
  let codes = 0;
  await openHost(page, HOST_ORIGIN, async () => {
    codes += 1;
    return "not.a.code";
  });
  await page.locator("iframe").waitFor();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "请从合作网站重新进入" })).toBeVisible();
  await expect.poll(() => codes).toBe(2);
  await expect(frame.getByRole("heading", { name: "请从合作网站重新进入" })).toBeVisible();
  expect(codes).toBe(2);
});

test("host and site exchange messages, strangers do not", async ({ page }) => {
  await page.addInitScript(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    window.addEventListener("message", ({ data }) => heard.push(data));
  });
  await openHost(page, HOST_ORIGIN);
  const frame = await siteFrame(page);
  const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
  await expect.poll(heard).toContainEqual({ liuying: 1, type: "ready" });
  await expect.poll(heard).toContainEqual({ liuying: 1, type: "navigated", path: "/home" });
  const say = (data: unknown) =>
    page.evaluate(
      ([message, target]) =>
        document.querySelector("iframe")?.contentWindow?.postMessage(message, target as string),
      [data, PARTNER_SITE] as const,
    );
  await say({ liuying: 1, type: "open", path: "https://evil.example/" });
  await say({ type: "open", path: "/rank" });
  await say({ liuying: 1, type: "open", path: "/list?typeId=0&orderby=hot" });
  await expect.poll(() => frame.url()).toBe(`${PARTNER_SITE}/list?typeId=0&orderby=hot`);
  await say({ liuying: 1, type: "theme", theme: "light" });
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "light");
  await expect.poll(heard).toContainEqual({ liuying: 1, type: "navigated", path: "/list" });
  // A message from inside the frame itself is not the parent's.
  await frame.evaluate(() =>
    window.postMessage({ liuying: 1, type: "open", path: "/rank" }, location.origin),
  );
  await page.waitForTimeout(300);
  expect(frame.url()).toContain("/list");
});

test("an origin that nobody listed cannot frame the site", async ({ page, expected }) => {
  expected.allow(/frame-ancestors|Refused to frame|Framing/);
  await openHost(page, OTHER_ORIGIN);
  await page.locator("iframe").waitFor();
  await expect
    .poll(() => page.frames().some((frame) => frame.url().startsWith("chrome-error:")))
    .toBe(true);
  expect(page.frames().some((frame) => frame.url().startsWith(PARTNER_SITE))).toBe(false);
});

test("the site runs in a frame whose storage is blocked", async ({ page }) => {
  await page.addInitScript(() => {
    if (window.self === window.top) return;
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    }
  });
  await openHost(page, HOST_ORIGIN);
  const frame = await siteFrame(page);
  await expect(frame.getByRole("region", { name: "推荐" }).getByRole("link").first()).toBeVisible();
});

test("without a session every address leads to the vendor page, and a code leads back", async ({
  page,
}) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(pathname);
  });
  for (const path of ["/home", "/mine", "/playVideo?id=1", "/list?typeId=0&orderby=hot"]) {
    await page.goto(`${PARTNER_SITE}${path}`);
    await expect(page).toHaveURL(`${PARTNER_SITE}/vendor`);
    await expect(page.getByRole("heading", { name: "请从合作网站重新进入" })).toBeVisible();
  }
  expect(calls).toEqual([]);
  const exchange = page.waitForRequest(/vendor\/exchange/);
  await page.goto(`${PARTNER_SITE}/vendor?code=${signCode()}`);
  // The address bar holds no code any more when the first request is sent.
  const sent = await exchange;
  expect(sent.headers().referer ?? "").not.toContain("code=");
  expect(sent.headers().authorization).toBeUndefined();
  await expect(page).toHaveURL(`${PARTNER_SITE}/list?typeId=0&orderby=hot`);
  await expect(page.getByText("合作方也能看的第 1 个视频")).toBeVisible();
  const bearer = page.waitForRequest(/api\/videosort\/0/);
  await page.reload();
  expect((await bearer).headers().authorization).toMatch(/^Bearer /);
});

test("a code works once, and a wrong one is explained", async ({ page, expected }) => {
  expected.allow(UNAUTHORIZED);
  const code = signCode();
  await page.goto(`${PARTNER_SITE}/vendor?code=${code}`);
  await expect(page).toHaveURL(`${PARTNER_SITE}/home`);
  for (const wrong of [code, "x.y.z", "<b>", signCode("u1", 600)]) {
    await page.goto(`${PARTNER_SITE}/vendor?code=${encodeURIComponent(wrong)}`);
    await expect(page.locator(".vendor")).toContainText(
      "登录凭证无效或已过期，请从合作方页面重新进入",
    );
    expect(page.url()).not.toContain("code=");
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  }
});

test("a session that has ended leads to the vendor page with the reason", async ({
  page,
  expected,
}) => {
  expected.allow(UNAUTHORIZED);
  await enter(page);
  await page.evaluate(() => localStorage.setItem("token", "over.and.out"));
  await page.goto(`${PARTNER_SITE}/list?typeId=0&orderby=new`);
  await expect(page).toHaveURL(/\/vendor\?logout=logout&msg=/);
  await expect(page.getByText("登录已经过期。")).toBeVisible();
  await expect(page.locator(".vendor-reason")).toHaveText("提示：请先登录");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  expect(await page.evaluate(() => localStorage.getItem("xbbBonus"))).toBeNull();
  await page.goto(
    `${PARTNER_SITE}/vendor?msg=${encodeURIComponent(`<img src=x onerror=alert(1)>${"长".repeat(300)}`)}`,
  );
  await expect(page.getByRole("heading", { name: "请从合作网站重新进入" })).toBeVisible();
  await expect(page.locator(".vendor-reason")).toHaveCount(0);
  await page.goto(`${PARTNER_SITE}/vendor?msg=code-refused`);
  await expect(page.locator(".vendor-reason")).toHaveText(/^提示：登录凭证无效或已过期/);
});

test("a session that ends in one tab ends in the others", async ({ page, context }) => {
  await enter(page);
  const other = await context.newPage();
  await other.goto(`${PARTNER_SITE}/vendor?logout=logout`);
  await expect(page).toHaveURL(`${PARTNER_SITE}/vendor`);
});

test("page views reach the counter after each navigation, without queries", async ({ page }) => {
  await enter(page);
  const visitor = await page.evaluate(() => localStorage.getItem("vuid"));
  // Other tests' visitors are counted too.
  const own = () => reports.filter((report) => report.visitor === visitor);
  const paths = () => own().map(({ path }) => path);
  await expect.poll(paths).toContain("/home");
  const before = own().length;
  await page.goto(`${PARTNER_SITE}/list?typeId=0&orderby=new`);
  await expect.poll(() => own().length).toBe(before + 1);
  await page.getByRole("button", { name: "最热" }).click();
  await page.goto(`${PARTNER_SITE}/playLink?id=1`);
  await expect.poll(() => paths().slice(before)).toEqual(["/list", "/playVideo"]);
  expect(
    own()
      .slice(before)
      .map(({ name }) => name),
  ).toEqual(["list", "playVideo"]);
  expect(JSON.stringify(own())).not.toMatch(/typeId|orderby|\?/);
});
