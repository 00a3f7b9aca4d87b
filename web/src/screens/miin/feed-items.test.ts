import { expect, it } from "vitest";
import type { Ad, Video } from "@/shared/api/model.ts";
import { isNearEnd, orderFeed } from "./feed-items.ts";

const videos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: "video", id: index }) as Video);
const ads = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: "ad", id: 100 + index }) as Ad);
const names = (list: readonly { kind: string; id: number }[]) =>
  list.map(({ kind, id }) => `${kind} ${id}`);

it("puts an advertisement after every four videos, in turn", () => {
  const items = names(orderFeed(videos(13), ads(2)));
  expect(items.filter((name) => name.startsWith("ad"))).toEqual(["ad 100", "ad 101", "ad 100"]);
  expect([4, 9, 14].map((place) => items[place])).toEqual(["ad 100", "ad 101", "ad 100"]);
  expect(items).toHaveLength(16);
});

it("keeps the order of what is shown when more videos arrive", () => {
  const before = orderFeed(videos(6), ads(2));
  expect(names(orderFeed(videos(20), ads(2))).slice(0, before.length)).toEqual(names(before));
});

it("is videos alone without advertisements, and ends before the first while they are not known", () => {
  expect(orderFeed(videos(9), [])).toHaveLength(9);
  expect(names(orderFeed(videos(9), null))).toEqual(["video 0", "video 1", "video 2", "video 3"]);
});

it("asks for the next page five places before the end", () => {
  expect([4, 5, 9].map((active) => isNearEnd(active, 10))).toEqual([false, true, true]);
});
