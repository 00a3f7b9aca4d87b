import type { RuntimeConfig } from "@/shared/api/model.ts";
import { configureCovers } from "@/shared/covers/cover-store.ts";

/** Key id to base64. */
export type Keys = Readonly<Record<string, string>>;

let known: Keys = {};
const tellWorker = () => navigator.serviceWorker?.controller?.postMessage({ gatedKeys: known });

/** Tells the page and its service worker the gate's keys; neither stores them. */
export function giveKeys(
  { coverKeys, mediaBase }: Pick<RuntimeConfig, "coverKeys" | "mediaBase">,
  keys: Keys,
): void {
  known = { ...known, ...keys };
  configureCovers({ keys: { ...coverKeys, ...known }, mediaBase });
  // The same listener counts once, however often it is added.
  navigator.serviceWorker?.addEventListener("controllerchange", tellWorker);
  tellWorker();
}
