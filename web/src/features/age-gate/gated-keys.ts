import type { RuntimeConfig } from "@/shared/api/model.ts";
import { configureCovers } from "@/shared/covers/cover-store.ts";

/** Key id to base64. */
export type Keys = Readonly<Record<string, string>>;

/** What is told of the gate's keys; all that know them belong to one document. */
let known: Keys = {};
const tellWorker = () => navigator.serviceWorker?.controller?.postMessage({ gatedKeys: known });
let isFollowing = false;

/** Tells the page and its service worker the gate's keys; neither stores them. */
export function keysGiver({
  coverKeys,
  mediaBase,
}: Pick<RuntimeConfig, "coverKeys" | "mediaBase">): (keys: Keys) => void {
  if (!isFollowing) navigator.serviceWorker?.addEventListener("controllerchange", tellWorker);
  isFollowing = true;
  return (keys) => {
    known = { ...known, ...keys };
    configureCovers({ keys: { ...coverKeys, ...known }, mediaBase });
    tellWorker();
  };
}
