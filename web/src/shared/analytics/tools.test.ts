import { afterEach, expect, it, vi } from "vitest";
import { hexVisitor, reporterFor } from "./tools.ts";

const VISIT = { visitor: "YWJjY20", origin: "https://site.test", startedAt: 1_700_000_000_500 };

afterEach(() => vi.unstubAllGlobals());

function caughtFetch() {
  const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => new Response(),
  );
  vi.stubGlobal("fetch", asked);
  return asked;
}

it("sends a beacon of path, name and visitor as plain text", async () => {
  const sendBeacon = vi.fn<(url: string, body: Blob) => boolean>(() => true);
  vi.stubGlobal("navigator", { sendBeacon });
  reporterFor({ kind: "beacon", url: "https://count.test/hit", id: "" }, VISIT)("/list", "list");
  const [url, body] = sendBeacon.mock.calls[0] ?? [];
  expect(url).toBe("https://count.test/hit");
  expect(body?.type).toBe("text/plain");
  expect(JSON.parse((await body?.text()) ?? "")).toEqual({
    path: "/list",
    name: "list",
    visitor: "YWJjY20",
  });
});

it("asks Matomo's tracking API without credentials", () => {
  const asked = caughtFetch();
  reporterFor({ kind: "matomo", url: "https://m.test/matomo.php", id: "7" }, VISIT)(
    "/list",
    "list",
  );
  const [address, init] = asked.mock.calls[0] ?? [];
  const { origin, pathname, searchParams } = new URL(address ?? "");
  expect(origin + pathname).toBe("https://m.test/matomo.php");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    idsite: "7",
    rec: "1",
    apiv: "1",
    action_name: "list",
    url: "https://site.test/list",
    _id: hexVisitor("YWJjY20"),
  });
  expect(init).toMatchObject({
    mode: "no-cors",
    keepalive: true,
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
});

it("asks GA4's collection address", () => {
  const asked = caughtFetch();
  const url = "https://www.google-analytics.com/g/collect";
  reporterFor({ kind: "google", url, id: "G-AB12CD" }, VISIT)("/list", "list");
  expect(Object.fromEntries(new URL(asked.mock.calls[0]?.[0] ?? "").searchParams)).toMatchObject({
    v: "2",
    tid: "G-AB12CD",
    cid: "YWJjY20",
    sid: "1700000000",
    en: "page_view",
    dl: "https://site.test/list",
  });
});

it("makes 16 hexadecimal digits of a visitor, the same each time", () => {
  expect(hexVisitor("")).toBe("cbf29ce484222325");
  expect(hexVisitor("a")).toBe("af63dc4c8601ec8c");
  expect(hexVisitor("YWJjY20")).toMatch(/^[0-9a-f]{16}$/);
});
