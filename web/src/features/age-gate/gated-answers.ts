import { ageAnswer } from "@/shared/api/age.ts";
import { call } from "@/shared/api/client.ts";
import type { WirePicture } from "@/shared/api/wire.ts";
import type { Keys } from "./gated-keys.ts";

/** What every answer says of a gated video, and what the gate's calls add. */
interface GatedItem {
  readonly id: number;
  readonly isGated: true;
  coverbase64: WirePicture;
}

interface GatedVideos {
  readonly cover_keys: Keys;
  readonly data: readonly { readonly id: number; readonly coverbase64: WirePicture }[];
}

interface GatedPlay {
  readonly cover_keys: Keys;
  readonly play: object;
}

/** So many videos may be asked for at once. */
const MOST = 100;

const isGated = (value: object): value is GatedItem =>
  "isGated" in value && value.isGated === true && "coverbase64" in value;

/** The gated videos of an answer, wherever they stand in it. */
export function gatedItems(answer: unknown): GatedItem[] {
  if (typeof answer !== "object" || answer === null) return [];
  const inside = Object.values(answer).flatMap(gatedItems);
  return isGated(answer) ? [answer, ...inside] : inside;
}

/**
 * Puts their covers into the gated videos of a list's answer.
 *
 * @returns What opens them: key id to base64.
 * @throws ApiError as every call does; what was filled in stays.
 */
export async function fillCovers(
  items: readonly Pick<GatedItem, "id" | "coverbase64">[],
): Promise<Keys> {
  let keys: Keys = {};
  const ids = [...new Set(items.map(({ id }) => id))];
  for (let start = 0; start < ids.length; start += MOST) {
    const params = { ids: ids.slice(start, start + MOST).join(",") };
    const options = { params, headers: ageAnswer() };
    const found = (await call("GET", "/api/gated/videos", options)) as GatedVideos;
    keys = { ...keys, ...found.cover_keys };
    const covers = new Map(found.data.map(({ id, coverbase64 }) => [id, coverbase64]));
    for (const item of items) item.coverbase64 = covers.get(item.id) ?? item.coverbase64;
  }
  return keys;
}

/**
 * A gated video's page as the gate's call tells it. The path of the whole video stays away: it ends
 * after some hours, and the watch history keeps it.
 *
 * @throws ApiError as every call does.
 */
export async function fetchGatedPlay(id: number): Promise<{ keys: Keys; play: object }> {
  const options = { headers: ageAnswer() };
  const found = (await call("GET", `/api/gated/videoplay/${id}`, options)) as GatedPlay;
  return { keys: found.cover_keys, play: { ...found.play, videopath: "" } };
}
