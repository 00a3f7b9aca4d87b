import type { Page } from "@playwright/test";
import { FilmServer } from "../fixtures/film-server.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

// As `fixtures/faulty_films.py` has them; so many are played beside each other.
const FILMS = 14;
const TOGETHER = 7;
// How far what the API, the playlists and the player say of a film's length may lie apart.
const TOLERANCE_S = 0.05;

const server = new FilmServer();

/** The film's length by the API, and by each of its playlists. */
async function asSaid(page: Page, id: number) {
  const answer = await page.request.get(`${server.origin}/api/videoplay/${id}?uuid=1`);
  const { title, duration, sources } = (await answer.json()).rescont;
  const lengths: Record<string, number> = {};
  for (const source of sources) {
    if (source.label === "自动" || source.type === "video/mp4") continue;
    for (const [name, seconds] of await lengthsOf(page, server.origin + source.url))
      lengths[`${source.label} ${name}`] = seconds;
  }
  return { title, duration, lengths };
}

/** Seconds that a playlist's media playlists promise: it is one, or it leads to pictures and sounds. */
async function lengthsOf(page: Page, address: string): Promise<[string, number][]> {
  const text = await (await page.request.get(address)).text();
  if (!text.includes("#EXT-X-STREAM-INF")) return [["", lengthOf(text)]];
  const found = text.matchAll(/^#EXT-X-MEDIA:.*URI="([^"]+)"|^([^#\s].*)$/gm);
  return Promise.all(
    [...found].map(async ([, sound, pictures]): Promise<[string, number]> => {
      const name = sound ?? pictures ?? "";
      const media = await page.request.get(new URL(name, address).href);
      return [name, lengthOf(await media.text())];
    }),
  );
}

/** Seconds that a media playlist promises. */
function lengthOf(playlist: string): number {
  const durations = playlist.matchAll(/^#EXTINF:([\d.]+)/gm);
  return [...durations].reduce((total, [, seconds]) => total + Number(seconds), 0);
}

/** Plays on until it ends, from a place of the film on. */
async function endsFrom(player: PlayerPage, share: number): Promise<number> {
  return player.video.evaluate(async (video: HTMLVideoElement, start) => {
    const ended = new Promise((resolve) =>
      video.addEventListener("ended", resolve, { once: true }),
    );
    video.currentTime = start * video.duration;
    await video.play();
    await ended;
    return video.currentTime;
  }, share);
}

async function openFilm(page: Page, id: number): Promise<PlayerPage> {
  await page.addInitScript(() => localStorage.setItem("seek-hint-shown", "1"));
  await page.goto(`${server.origin}/playVideo?id=${id}`);
  const player = new PlayerPage(page);
  await expect(player.player).toBeVisible();
  await player.presentedFrames(2);
  return player;
}

test.describe("films that others got wrong", () => {
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    await server.start("serve_faulty.py");
  });

  test.afterAll(() => server.stop());

  for (let first = 1; first <= FILMS; first += TOGETHER) {
    const ids = Array.from({ length: TOGETHER }, (_, index) => first + index);
    test(`films ${first} to ${ids.at(-1)} play to their end, and are as long as is said`, async ({
      context,
    }) => {
      await Promise.all(
        ids.map(async (id) => {
          const page = await context.newPage();
          const said = await asSaid(page, id);
          const player = await openFilm(page, id);
          const lengths = {
            ...said.lengths,
            player: await player.video.evaluate((video: HTMLVideoElement) => video.duration),
            played: await endsFrom(player, 0),
            "played from 90 %": await endsFrom(player, 0.9),
          };
          for (const [where, seconds] of Object.entries(lengths)) {
            const difference = Math.abs(seconds - said.duration);
            expect(difference, `${said.title}, ${where}`).toBeLessThan(TOLERANCE_S);
          }
        }),
      );
    });
  }
});
