import { mediaTypeOf, openSealed } from "../shared/covers/sealed.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Opens sealed pictures on their way to `<img>` (decisions §5), so that lazy loading and the browser's own picture
 * cache work. Everything else passes untouched.
 */
type Keys = Readonly<Record<string, string>>;

const SEALED_PATH = "/enc/";
const CONFIG_PATH = "/api/config";

// A picture is no document: an SVG opened by itself must run nothing.
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "X-Content-Type-Options": "nosniff",
};

let keys: Promise<Keys> | undefined;

async function fetchKeys(): Promise<Keys> {
  const response = await fetch(CONFIG_PATH, { credentials: "include" });
  const { rescont } = (await response.json()) as { rescont: { cover_keys: Keys } };
  return rescont.cover_keys;
}

async function openWithFreshKeys(sealed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  keys = fetchKeys();
  return openSealed(sealed, await keys);
}

async function answer(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) return response;
  const sealed = new Uint8Array(await response.arrayBuffer());
  keys ??= fetchKeys();
  // A picture sealed with a newer key than ours: ask for the keys once more.
  const picture = await keys.then((known) => openSealed(sealed, known)).catch(() => openWithFreshKeys(sealed));
  return new Response(picture, { headers: { ...HEADERS, "Content-Type": mediaTypeOf(picture) } });
}

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", ({ data }: ExtendableMessageEvent) => {
  const given = (data as { coverKeys?: Keys } | null)?.coverKeys;
  if (given) keys = Promise.resolve(given);
});
self.addEventListener("fetch", (event) => {
  const { destination, url, method } = event.request;
  if (destination !== "image" || method !== "GET" || !new URL(url).pathname.startsWith(SEALED_PATH)) return;
  event.respondWith(answer(url).catch(() => Response.error()));
});
