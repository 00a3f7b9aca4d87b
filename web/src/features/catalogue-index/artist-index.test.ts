import { expect, it } from "vitest";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { findArtists, groupArtists, letterPlace } from "./artist-index.ts";

const artist = (name: string, initial: string) => ({ name, initial }) as Artist;

it("groups by initial, A to Z, with the rest at the end", () => {
  const groups = groupArtists([
    artist("周屿", "Z"),
    artist("7号", "#"),
    artist("白露", "B"),
    artist("百川", "B"),
    artist("ñ", "Ñ"),
  ]);
  expect(groups.map(({ initial, artists }) => [initial, artists.map(({ name }) => name)])).toEqual([
    ["B", ["白露", "百川"]],
    ["Z", ["周屿"]],
    ["#", ["7号", "ñ"]],
  ]);
});

it("finds artists by a part of the name and by the initial", () => {
  const artists = [artist("周屿", "Z"), artist("白露", "B"), artist("DJ Blue", "D")];
  const names = (text: string) => findArtists(artists, text).map(({ name }) => name);
  expect(names("屿")).toEqual(["周屿"]);
  expect(names(" b ")).toEqual(["白露", "DJ Blue"]);
  expect(names("")).toHaveLength(3);
  expect(names("x")).toEqual([]);
});

it("knows the letter under a finger, and holds the last one beyond the ends", () => {
  const places = [-5, 0, 11.9, 12, 239.9, 240, 900].map((y) => letterPlace(y, 240, 20));
  expect(places).toEqual([0, 0, 0, 1, 19, 19, 19]);
});
