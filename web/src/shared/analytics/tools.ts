import type { AnalyticsTool } from "@/shared/api/model.ts";
import type { PageViewHandler } from "./page-views.ts";

/** What a report says beside the page. */
export interface Visit {
  /** The public visitor id: it authorises nothing (docs/product.md#identity). */
  readonly visitor: string;
  /** Origin of the site. */
  readonly origin: string;
  /** Milliseconds since 1970 at which the visit began: GA4's session. */
  readonly startedAt: number;
}

type Kind = Exclude<AnalyticsTool["kind"], "none">;

/** Matomo takes a visitor id of 16 hexadecimal digits only: 64 bits of FNV-1a over the id. */
export function hexVisitor(visitor: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const sign of visitor)
    hash = BigInt.asUintN(64, (hash ^ BigInt(sign.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

const REQUESTS: Readonly<
  Record<Kind, (tool: AnalyticsTool, visit: Visit, path: string, name: string) => void>
> = {
  /** The operator's own counter: JSON as plain text, which needs no preflight. */
  beacon: ({ url }, { visitor }, path, name) => {
    navigator.sendBeacon(
      url,
      new Blob([JSON.stringify({ path, name, visitor })], { type: "text/plain" }),
    );
  },
  /** https://developer.matomo.org/api-reference/tracking-api */
  matomo: ({ url, id }, { visitor, origin }, path, name) =>
    ask(url, {
      idsite: id,
      rec: "1",
      apiv: "1",
      action_name: name,
      url: origin + path,
      _id: hexVisitor(visitor),
      rand: String(Math.random()).slice(2),
      send_image: "0",
    }),
  /** GA4's own collection address, asked directly: no foreign script runs in the page. */
  google: ({ url, id }, { visitor, origin, startedAt }, path, name) =>
    ask(url, {
      v: "2",
      tid: id,
      cid: visitor,
      sid: String(Math.floor(startedAt / 1000)),
      en: "page_view",
      dl: origin + path,
      dt: name,
      _p: String(Math.random()).slice(2),
    }),
};

/** Asked without credentials; the answer is not read, and a report that is lost is lost. */
function ask(url: string, query: Readonly<Record<string, string>>): void {
  fetch(`${url}?${new URLSearchParams(query)}`, {
    mode: "no-cors",
    keepalive: true,
    credentials: "omit",
    referrerPolicy: "no-referrer",
  }).catch((error: unknown) => console.info("页面浏览未能上报", error));
}

/** What reports to a tool. */
export function reporterFor(
  tool: AnalyticsTool & { readonly kind: Kind },
  visit: Visit,
): PageViewHandler {
  return (path, name) => REQUESTS[tool.kind](tool, visit, path, name);
}
