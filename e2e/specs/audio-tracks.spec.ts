import type { Locator, Page } from "@playwright/test";
import { FilmServer } from "../fixtures/film-server.ts";
import { expect, type Finger, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

// As `fixtures/serve_dubbed.py` has them.
const THREE_TRACKS = 1;
const TWO_TRACKS = 2;
const ONE_TRACK = 3;
const LOCKED = 4;
const TONES = { mandarin: 440, cantonese: 1100, original: 2200 };
const TOLERANCE_HZ = 60;

const server = new FilmServer();

/** Names of the engine's files that a page asks for, without their hashes. */
function engineFiles(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on("request", (request) => {
    const [, name] = /\/assets\/(hls(?:\.light)?)-[^/]+\.js$/.exec(request.url()) ?? [];
    if (name) asked.add(name);
  });
  return asked;
}

/** An open player whose picture moves. */
async function playing(page: Page, id: number): Promise<PlayerPage> {
  await page.addInitScript(() => localStorage.setItem("seek-hint-shown", "1"));
  await page.goto(`${server.origin}/playVideo?id=${id}`);
  const player = new PlayerPage(page);
  await expect(player.player).toBeVisible();
  // A busy machine may need longer for a test than the film lasts, and at its end nothing sounds.
  await player.video.evaluate((video: HTMLVideoElement) => {
    video.loop = true;
  });
  await player.plays();
  return player;
}

/** The loudest frequency that the element plays now, in hertz. */
async function tone(player: PlayerPage): Promise<number> {
  return player.video.evaluate(async (video: HTMLVideoElement & { ear?: AnalyserNode }) => {
    if (!video.ear) {
      const context = new AudioContext();
      video.ear = context.createAnalyser();
      video.ear.fftSize = 4096;
      context.createMediaElementSource(video).connect(video.ear).connect(context.destination);
      await context.resume();
    }
    const levels = new Float32Array(video.ear.frequencyBinCount);
    video.ear.getFloatFrequencyData(levels);
    return (levels.indexOf(Math.max(...levels)) * video.ear.context.sampleRate) / video.ear.fftSize;
  });
}

async function hears(player: PlayerPage, hertz: number): Promise<void> {
  const distance = async () => Math.abs((await tone(player)) - hertz);
  await expect.poll(distance).toBeLessThan(TOLERANCE_HZ);
}

/** The button that names the track; also while the controls are hidden. */
function currentTrack(player: PlayerPage): Locator {
  return player.player.getByRole("button", { name: /^音轨，当前/, includeHidden: true });
}

async function openSettings(page: Page, player: PlayerPage, finger: Finger) {
  await player.pressControl(finger, /^清晰度/);
  return page.getByRole("dialog", { name: "播放设置" });
}

test.describe("a film with several audio tracks", () => {
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    await server.start("serve_dubbed.py");
  });

  test.afterAll(() => server.stop());

  test("plays the one that is chosen, and remembers the language", async ({ page, finger }) => {
    const player = await playing(page, THREE_TRACKS);
    await hears(player, TONES.mandarin);
    const menu = (await openSettings(page, player, finger)).getByRole("group", { name: "音轨" });
    await expect(menu.getByRole("button")).toHaveText(["国语", "粤语", "日语原声"]);
    await expect(menu.getByRole("button", { pressed: true })).toHaveText("国语");
    await finger.press(menu.getByRole("button", { name: "粤语" }));
    await expect(menu).toHaveCount(0);
    await hears(player, TONES.cantonese);
    await expect(currentTrack(player)).toHaveText("粤语");

    await page.reload();
    await player.plays();
    await hears(player, TONES.cantonese);

    await page.goto(`${server.origin}/playVideo?id=${TWO_TRACKS}`);
    await player.plays();
    await hears(player, TONES.cantonese);
    await expect(currentTrack(player)).toHaveText("粤语");
  });

  test("keeps its track where the quality changes", async ({ page, finger }) => {
    const player = await playing(page, THREE_TRACKS);
    const first = await openSettings(page, player, finger);
    await finger.press(first.getByRole("button", { name: "日语原声" }));
    await expect(first).toHaveCount(0);
    await expect(currentTrack(player)).toHaveText("日语原声");
    const second = await openSettings(page, player, finger);
    await finger.press(second.getByRole("button", { name: /^720P/ }));
    await expect.poll(async () => (await player.playback()).height).toBe(720);
    await hears(player, TONES.original);
  });

  test("loads the full engine, and that alone, where the page says so", async ({ page }) => {
    const asked = engineFiles(page);
    await playing(page, THREE_TRACKS);
    expect([...asked]).toEqual(["hls"]);
  });

  test("loads it after a tap on a tile, which does not know", async ({ page, finger }) => {
    const asked = engineFiles(page);
    await page.addInitScript(() => {
      localStorage.setItem("seek-hint-shown", "1");
      localStorage.setItem("player-preferences", JSON.stringify({ audio: "yue" }));
    });
    await page.goto(`${server.origin}/list?typeId=0&orderby=new`);
    await finger.press(page.getByRole("link", { name: "三条音轨" }).first());
    const player = new PlayerPage(page);
    await player.plays();
    await hears(player, TONES.cantonese);
    expect([...asked].sort()).toEqual(["hls", "hls.light"]);
  });

  test("is locked with all its addresses, and plays once it is unlocked", async ({ page }) => {
    const visits = ["198.51.100.7", "203.0.113.9"];
    await page.goto(`${server.origin}/mine`);
    await page.evaluate(() => localStorage.setItem("seek-hint-shown", "1"));
    const code = await page.evaluate(() => localStorage.getItem("uuid") ?? "");
    const headers = { "x-visitor-code": code };
    const link = await page.request.post(`${server.origin}/api/share/link`, {
      headers,
      data: { id: LOCKED },
    });
    const { url } = (await link.json()).rescont;
    for (const network of visits)
      await page.request.post(`${server.origin}/api/share/visit`, {
        headers: { "x-forwarded-for": network },
        data: { id: new URL(url, server.origin).searchParams.get("id") },
      });
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    const player = await playing(page, LOCKED);
    await hears(player, TONES.mandarin);
    const media = asked.filter((path) => path.startsWith("/media/"));
    expect(media.some((path) => path.includes("/sound-1/"))).toBe(true);
    for (const path of media) expect(path).toMatch(/^\/media\/r\//);
    const open = media[0]?.replace(/\/r\/[^/]+/, "").replace(/[^/]+$/, "sound-1/index.m3u8");
    expect((await page.request.get(server.origin + open)).status()).toBe(403);
  });

  test("with one track keeps the light engine, and has no menu", async ({ page, finger }) => {
    const asked = engineFiles(page);
    const player = await playing(page, ONE_TRACK);
    await hears(player, TONES.mandarin);
    const settings = await openSettings(page, player, finger);
    await expect(settings.getByRole("group", { name: "画质" })).toBeVisible();
    await expect(settings.getByRole("group", { name: "音轨" })).toHaveCount(0);
    expect([...asked]).toEqual(["hls.light"]);
  });
});
