import { expect, test } from "vitest";
import { sortFiles } from "@/features/uploads/films.ts";

function sorted(...names: string[]) {
  const { films, others } = sortFiles(names.map((name) => new File(["x"], name)));
  return {
    films: films.map(({ file, beside }) => [file.name, beside.map(({ name }) => name)]),
    others: others.map(({ name }) => name),
  };
}

test("files go with the film whose name they begin with", () => {
  expect(
    sorted(
      "海边.mp4",
      "海边.zh.srt",
      "海边.json",
      "海边-poster.jpg",
      "海边日落.MKV",
      "海边日落.ass",
    ),
  ).toEqual({
    films: [
      ["海边.mp4", ["海边.zh.srt", "海边.json", "海边-poster.jpg"]],
      ["海边日落.MKV", ["海边日落.ass"]],
    ],
    others: [],
  });
});

test("of two films the longer name counts", () => {
  expect(sorted("a.mp4", "a.b.mp4", "a.b.srt").films).toEqual([
    ["a.mp4", []],
    ["a.b.mp4", ["a.b.srt"]],
  ]);
});

test("a folder's pictures go with its only film", () => {
  expect(sorted("a.mp4", "poster.jpg", "movie.nfo").films).toEqual([
    ["a.mp4", ["poster.jpg", "movie.nfo"]],
  ]);
  expect(sorted("a.mp4", "b.mp4", "poster.jpg").others).toEqual(["poster.jpg"]);
});

test("what belongs to nothing is named", () => {
  expect(sorted("a.mp4", "b.srt", "a.exe", "readme.txt").others).toEqual([
    "b.srt",
    "a.exe",
    "readme.txt",
  ]);
});
