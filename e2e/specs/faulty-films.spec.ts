import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

// As `fixtures/faulty_films.py` has them; so many are played beside each other.
const FILMS = 14;
const TOGETHER = 7;
// How far what the API, the playlists and the player say of a film's length may lie apart.
const TOLERANCE_S = 0.05;

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  if (!address || typeof address !== "object") throw new Error("no port");
  return address.port;
}

let server: ChildProcess;
let origin = "";

async function isServing(): Promise<boolean> {
  return fetch(`${origin}/api/config`).then(
    (answer) => answer.ok,
    () => false,
  );
}

/** The film's length by the API, and by each of its playlists. */
async function asSaid(page: Page, id: number) {
  const answer = await page.request.get(`${origin}/api/videoplay/${id}?uuid=1`);
  const { title, duration, sources } = (await answer.json()).rescont;
  const lengths: Record<string, number> = {};
  for (const source of sources) {
    if (source.label === "自动" || source.type === "video/mp4") continue;
    lengths[source.label] = lengthOf(await (await page.request.get(origin + source.url)).text());
  }
  return { title, duration, lengths };
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
  await page.goto(`${origin}/playVideo?id=${id}`);
  const player = new PlayerPage(page);
  await expect(player.player).toBeVisible();
  await player.presentedFrames(2);
  return player;
}

test.describe("films that others got wrong", () => {
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    const port = String(await freePort());
    origin = `http://127.0.0.1:${port}`;
    const folder = join(process.env.E2E_FOLDER ?? "", `faulty-${port}`);
    server = spawn("../.venv/bin/python", ["fixtures/serve_faulty.py", folder, port], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    while (!(await isServing())) {
      if (server.exitCode !== null) throw new Error("the films could not be imported");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });

  test.afterAll(async () => {
    const ended = once(server, "exit");
    server.kill();
    await ended;
  });

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
