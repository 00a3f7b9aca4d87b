import { expect, it } from "vitest";
import { chosenTrack } from "./subtitles.ts";

const track = (lang: string) => ({ lang, label: lang, url: `/${lang}.vtt` });

it("takes the language that was chosen before, or another form of it", () => {
  const tracks = [track("en"), track("zh-Hans"), track("zh-Hant")];
  expect(chosenTrack(tracks, "zh-Hant")?.lang).toBe("zh-Hant");
  expect(chosenTrack(tracks, "zh-TW")?.lang).toBe("zh-Hans");
  expect(chosenTrack(tracks, "en-GB")?.lang).toBe("en");
});

it("takes none where none was chosen or none fits", () => {
  expect(chosenTrack([track("en")], "")).toBeNull();
  expect(chosenTrack([track("en")], "ja")).toBeNull();
  expect(chosenTrack([], "en")).toBeNull();
});
