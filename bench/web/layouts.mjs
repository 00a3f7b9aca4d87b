// Taps and seeks on two installations in turn. Usage: layouts.mjs ADDRESS ADDRESS VIDEO ROUNDS; writes one JSON object
// a measurement: installation (0 or 1), what was measured, milliseconds.
import { CHROMIUM, CHROMIUM_ARGUMENTS, chromium, PHONE } from "./dependencies.mjs";
import { SLOW_4G, tapOnce } from "./first-frame.mjs";

const [urls, video, rounds] = [process.argv.slice(2, 4), process.argv[4], Number(process.argv[5])];
/** Seconds of the film, each further from the one before than a player keeps behind and before it. */
const TARGETS = [90, 30, 150, 60, 120];

/** Runs in the page: seeks, and resolves with the milliseconds until the first frame from there is on the screen. */
function seek(target) {
  const element = [...document.querySelectorAll("video")].find((one) => one.currentTime > 0);
  const begin = performance.now();
  return new Promise((resolve) => {
    const follow = (now, { mediaTime }) => {
      if (mediaTime >= target - 0.1 && mediaTime < target + 3) resolve(now - begin);
      else element.requestVideoFrameCallback(follow);
    };
    element.requestVideoFrameCallback(follow);
    element.currentTime = target;
  });
}

/** Open the film, and seek in it once it plays; the time of each seek. */
async function seekThrough(browser, url, isSlow) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  if (isSlow) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW_4G);
  }
  await page.goto(`${url}/playVideo?id=${video}&ad_show=no`);
  const plays = () => [...document.querySelectorAll("video")].some((one) => !one.paused && one.currentTime > 1);
  await page.waitForFunction(plays, undefined, { polling: 50 });
  const times = [];
  for (const target of TARGETS) times.push(await page.evaluate(seek, target));
  await context.close();
  return times;
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [...CHROMIUM_ARGUMENTS, "--autoplay-policy=no-user-gesture-required"],
});
const tell = (installation, what, ms) => console.log(JSON.stringify({ installation, what, ms }));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const isSlow of [false, true]) {
      const where = isSlow ? ", slow 4G" : "";
      for (const turn of [0, 1]) {
        // Who is first changes from round to round.
        const installation = (turn + round) % 2;
        const { fromLift } = await tapOnce(browser, urls[installation], isSlow);
        tell(installation, `finger up to first frame${where}${isSlow ? " and 4x CPU" : ""}`, fromLift);
        for (const ms of await seekThrough(browser, urls[installation], isSlow)) {
          tell(installation, `seek to its first frame${where}`, ms);
        }
      }
    }
  }
} finally {
  await browser.close();
}
