// Measures the web application in Chromium and prints the figures as Markdown.
//
//   node bench/web/measure.mjs         an installation of its own, filled as the browser tests do
//   node bench/web/measure.mjs URL     one that already serves; it must hold the browser tests'
// content
import { CHROMIUM, CHROMIUM_ARGUMENTS, chromium } from "./dependencies.mjs";
import { measureTaps } from "./first-frame.mjs";
import { startInstallation } from "./installation.mjs";
import { measureLongList } from "./long-list.mjs";
import { measurePlayerVisits } from "./player-visits.mjs";
import { measureCalibrated, measureScores, measureThrottledPaint } from "./scores.mjs";
import { measureShortFeed } from "./short-feed.mjs";
import { measureHomeNodes, measureListNodes, measureScripts } from "./weight.mjs";

/** The value below which a share of the values lies. */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

const median = (values) => quantile(values, 0.5);

/**
 * @param budget - Null where there is none. @param isAtLeast - The figure must reach the budget,
 * not stay below.
 */
function row(name, value, budget, { unit = "", digits = 0, isAtLeast = false } = {}) {
  const text = (figure) => `${figure.toLocaleString("en-US", { maximumFractionDigits: digits })}${unit}`;
  if (budget === null) return `| ${name} | ${text(value)} | | |`;
  const isHeld = isAtLeast ? value >= budget : value <= budget;
  return `| ${name} | ${text(value)} | ${isAtLeast ? "≥" : "≤"} ${text(budget)} | ${isHeld ? "held" : "**not held**"} |`;
}

function tapRows(taps, where, budget) {
  const touch = taps.map(({ fromTouch }) => fromTouch);
  const lift = taps.map(({ fromLift }) => fromLift);
  const unit = { unit: " ms" };
  return [
    row(`Finger down on a tile to first frame${where}, median of ${taps.length}`, median(touch), budget, unit),
    row("the same, 95th percentile", quantile(touch, 0.95), null, unit),
    row("Finger up to first frame, median", median(lift), null, unit),
    row("the same, 95th percentile", quantile(lift, 0.95), null, unit),
  ];
}

/** Screens that Lighthouse sees. */
const SCREENS = { home: "/home", "a list": "/list?typeId=0&orderby=new", "the player": "/playVideo?id=2" };

async function scoreRows(url, name, path) {
  const runs = await measureScores(url + path);
  for (const complaint of new Set(runs.flatMap(({ complaints }) => complaints))) console.error(`${name}: ${complaint}`);
  const of = (name) => median(runs.map((run) => run[name]));
  const machine = of("machine");
  const { slowDown, runs: calibrated } = await measureCalibrated(url + path, machine);
  const paints = await measureThrottledPaint(url + path);
  const atLeast = { isAtLeast: true };
  const calibration = `the same, calibrated: index ${Math.round(machine)}, slowed down ${slowDown} times`;
  return [
    row(`Lighthouse mobile, ${name}: performance, median of 3`, of("performance"), 95, atLeast),
    row(calibration, median(calibrated.map(({ performance }) => performance)), 95, atLeast),
    row("accessibility", of("accessibility"), 100, atLeast),
    row("best practices", of("best-practices"), 100, atLeast),
    row("search engines", of("seo"), 100, atLeast),
    row("largest contentful paint, simulated", of("lcp"), null, { unit: " ms" }),
    row("the same, really throttled", median(paints), 1200, { unit: " ms" }),
    row("total blocking time", of("tbt"), null, { unit: " ms" }),
    row("cumulative layout shift", of("cls"), 0, { digits: 4 }),
  ];
}

function shortFeedRows({ frames, drawn, growth, elements }) {
  return [
    row(
      "Finger up in the short feed to the next clip's first moving picture, display frames, median",
      median(frames),
      null,
      {
        digits: 1,
      },
    ),
    row("the same, 95th percentile", quantile(frames, 0.95), null, { digits: 1 }),
    row("Swipes whose clip showed its first picture before the finger was lifted", (100 * drawn) / frames.length, 100, {
      unit: " %",
      isAtLeast: true,
    }),
    row("Heap that 90 swipes in the short feed add", growth / 1_000_000, 2, { unit: " MB", digits: 2 }),
    row("`<video>` elements in the short feed", elements, 3),
  ];
}

function longListRows({ frames, tasks, nodes }) {
  return [
    row("A list of 5,000 scrolled at 4x CPU, frame time, 95th percentile", quantile(frames, 0.95), 17, {
      unit: " ms",
      digits: 1,
    }),
    row("long tasks (over 50 ms) in it", tasks.length, null),
    row("the longest of them", Math.max(0, ...tasks), null, { unit: " ms" }),
    row("most elements in the document", nodes, 1000),
  ];
}

function visitRows({ visits, growth, videos }) {
  return [
    row(`Heap that ${visits} visits of the player add`, growth / 1_000_000, 2, { unit: " MB", digits: 2 }),
    row("`<video>` elements alive after them", videos, 2),
  ];
}

async function measure(url) {
  const scores = [];
  for (const [name, path] of Object.entries(SCREENS)) scores.push(...(await scoreRows(url, name, path)));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
  try {
    return [
      "| home, list, player and short feed | figure | budget | |",
      "|---|---|---|---|",
      ...tapRows(await measureTaps(browser, url, false), "", 200),
      ...tapRows(await measureTaps(browser, url, true), ", slow 4G and 4x CPU", null),
      ...tapRows(await measureTaps(browser, url, true, true), ", the same with a finger that rests for 0.1 s", null),
      ...scores,
      row("Home's JavaScript before it runs, gzip", (await measureScripts(url)) / 1000, 80, { unit: " kB", digits: 1 }),
      row("Elements of home", await measureHomeNodes(browser, url), null),
      row("Elements of a list scrolled to page 5", await measureListNodes(browser, url), 1000),
      ...longListRows(await measureLongList(browser, url)),
      ...shortFeedRows(await measureShortFeed(browser, url)),
      ...visitRows(await measurePlayerVisits(browser, url)),
    ].join("\n");
  } finally {
    await browser.close();
  }
}

const given = process.argv[2];
const installation = given ? { url: given, stop: async () => {} } : await startInstallation();
try {
  console.log(await measure(installation.url));
} finally {
  await installation.stop();
}
