import type { Picture } from "@/shared/api/model.ts";
import { supportsAvif } from "./avif.ts";
import { BlobCache } from "./blob-cache.ts";
import { mediaTypeOf } from "./encrypted-image.ts";
import { createOpener, type Opener } from "./opener.ts";

/** Number of decrypted pictures cached beyond those on the screen. */
const MAX_CACHED_PICTURES = 80;

interface CoverSettings {
  /** Key id to AES-128 key in base64. */
  readonly keys: Readonly<Record<string, string>>;
  /** Origin of `/enc`; empty for our own. */
  readonly mediaBase: string;
}

let settings: CoverSettings = { keys: {}, mediaBase: "" };
let opener: Opener | undefined;

/** Tell the covers their keys; called once at the start. */
export function configureCovers(given: CoverSettings): void {
  settings = given;
}

/** Full address of an encrypted image, in the better of the formats that the browser draws. */
export function sealedAddress(
  { url, jpeg }: Pick<Picture, "url" | "jpeg">,
  isAvif: boolean,
): string {
  return settings.mediaBase + (isAvif ? url : (jpeg ?? url));
}

async function loadPicture(address: string): Promise<Blob> {
  const known = await window.firstPicture?.opened[address];
  if (known) return known;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  opener ??= createOpener();
  const picture = await opener(await response.arrayBuffer(), settings.keys);
  return new Blob([picture], { type: mediaTypeOf(picture) });
}

/**
 * The pictures that the page decrypts itself: on a first visit, and wherever no service worker may
 * run.
 */
export const openedCovers = new BlobCache(MAX_CACHED_PICTURES, loadPicture);

/**
 * Fetch and decrypt the first screen's pictures before the page is drawn; the document preloads
 * them. A service worker that decrypts them finds them in the browser's cache: they are asked for all
 * the same, because the browser warns of what was preloaded and not used.
 */
export async function warmCovers(pictures: readonly Picture[]): Promise<void> {
  const isAvif = await supportsAvif();
  for (const picture of pictures) {
    const address = sealedAddress(picture, isAvif);
    if (isWorkerOpening()) fetch(address).catch(() => {});
    else
      openedCovers.acquire(address).then(
        () => openedCovers.release(address),
        // The cover itself will meet the same failure, and show it.
        () => openedCovers.release(address),
      );
  }
}

/** Whether a service worker decrypts images on the way, so that `<img src>` just works. */
export function isWorkerOpening(): boolean {
  return navigator.serviceWorker?.controller?.state === "activated";
}
