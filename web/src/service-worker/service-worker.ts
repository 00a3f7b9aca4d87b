import { decryptImage, mediaTypeOf } from "../shared/covers/encrypted-image.ts";
import {
  answerDocument,
  answerFile,
  fillOffline,
  forgetOldBuilds,
  isBuildFile,
} from "./offline.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Decrypts images on their way to `<img>` (docs/product.md#covers), so that lazy loading and the
 * browser's own image cache work, and lets the site open offline (`offline.ts`). Everything else
 * passes untouched.
 */
type Keys = Readonly<Record<string, string>>;

const SEALED_PATH = "/enc/";
const CONFIG_PATH = "/api/config";
const KEYS = "keys";

// A picture is not a document: an SVG opened by itself must not run anything.
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "X-Content-Type-Options": "nosniff",
};

let keys: Promise<Keys> | undefined;
/**
 * Of the age gate: given by a page whose visitor has said his age, and stored nowhere. A worker that
 * was stopped has none; the page then opens the picture itself.
 */
let gatedKeys: Keys = {};

async function fetchKeys(): Promise<Keys> {
  try {
    const response = await fetch(CONFIG_PATH, { credentials: "include" });
    const { rescont } = (await response.json()) as { rescont: { cover_keys: Keys } };
    return await rememberKeys(rescont.cover_keys);
  } catch (error) {
    const cached = await caches.match(CONFIG_PATH, { cacheName: KEYS });
    if (cached) return (await cached.json()) as Keys;
    throw error;
  }
}

/** A worker is stopped and started at any time: offline it then needs the keys that it once had. */
async function rememberKeys(known: Keys): Promise<Keys> {
  const cache = await caches.open(KEYS);
  await cache.put(CONFIG_PATH, Response.json(known)).catch((error: unknown) => console.info(error));
  return known;
}

async function openWithFreshKeys(
  encrypted: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  keys = fetchKeys();
  return decryptImage(encrypted, { ...(await keys), ...gatedKeys });
}

async function answer(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) return response;
  const encrypted = new Uint8Array(await response.arrayBuffer());
  keys ??= fetchKeys();
  // A picture encrypted with a newer key than ours: fetch the keys once more.
  const picture = await keys
    .then((known) => decryptImage(encrypted, { ...known, ...gatedKeys }))
    .catch(() => openWithFreshKeys(encrypted));
  return new Response(picture, { headers: { ...HEADERS, "Content-Type": mediaTypeOf(picture) } });
}

self.addEventListener("install", (event) => {
  event.waitUntil(fillOffline().then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldBuilds([KEYS]).then(() => self.clients.claim()));
});
self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const data = event.data as { coverKeys?: Keys; gatedKeys?: Keys } | null;
  if (data?.gatedKeys) gatedKeys = data.gatedKeys;
  const given = data?.coverKeys;
  if (!given) return;
  keys = Promise.resolve(given);
  event.waitUntil(rememberKeys(given));
});
self.addEventListener("fetch", (event) => {
  const { destination, url, method, mode } = event.request;
  if (method !== "GET") return;
  const address = new URL(url);
  if (destination === "image" && address.pathname.startsWith(SEALED_PATH)) {
    event.respondWith(answer(url).catch(() => Response.error()));
  } else if (mode === "navigate" && address.origin === self.location.origin) {
    event.respondWith(answerDocument(event));
  } else if (isBuildFile(address)) {
    event.respondWith(answerFile(event.request));
  }
});
