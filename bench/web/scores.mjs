import { CHROMIUM, CHROMIUM_ARGUMENTS, launch, lighthouse, mobileSlow4G } from "./dependencies.mjs";

const RUNS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const FIGURES = {
  lcp: "largest-contentful-paint",
  cls: "cumulative-layout-shift",
  tbt: "total-blocking-time",
};

/**
 * Lighthouse's table of its documentation (throttling, "Calibrating the CPU slowdown"), for a
 * middling phone.
 */
const CALIBRATED = [
  { fromIndex: 1500, slowDown: 4 },
  { fromIndex: 800, slowDown: 2 },
  { fromIndex: 0, slowDown: 1 },
];

/** What Lighthouse finds of an address in a browser of its own. */
async function audited(address, wanted, settings) {
  const chrome = await launch({
    chromePath: CHROMIUM,
    chromeFlags: ["--headless=new", "--disable-gpu", ...CHROMIUM_ARGUMENTS],
  });
  try {
    const options = { port: chrome.port, logLevel: "error", ...wanted };
    return (await lighthouse(address, options, { extends: "lighthouse:default", settings })).lhr;
  } finally {
    await chrome.kill();
  }
}

async function runOnce(url, slowDown) {
  const throttling = { ...mobileSlow4G, cpuSlowdownMultiplier: slowDown };
  const lhr = await audited(url, { onlyCategories: CATEGORIES }, { throttling });
  const figures = Object.entries(FIGURES).map(([name, audit]) => [name, lhr.audits[audit].numericValue]);
  const scores = CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
  const machine = lhr.environment.benchmarkIndex;
  return { ...Object.fromEntries([...scores, ...figures]), machine, complaints: complaintsOf(lhr) };
}

/**
 * The same network and processor laid on the browser itself, instead of computed from a run without
 * them: what a visitor there sees.
 *
 * @returns Milliseconds to the largest contentful paint, each run.
 */
export async function measureThrottledPaint(address) {
  const settings = { throttlingMethod: "devtools", throttling: mobileSlow4G };
  const paints = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { audits } = await audited(address, { onlyAudits: [FIGURES.lcp] }, settings);
    paints.push(audits[FIGURES.lcp].numericValue);
  }
  return paints;
}

/** Audits outside performance that failed, with the elements they name. */
function complaintsOf(lhr) {
  const wanted = CATEGORIES.slice(1).flatMap((name) =>
    lhr.categories[name].auditRefs.filter(({ weight }) => weight > 0),
  );
  const failed = new Set(
    wanted.map(({ id }) => id).filter((id) => lhr.audits[id].score !== null && lhr.audits[id].score < 1),
  );
  return [...failed].map((id) => {
    const nodes = (lhr.audits[id].details?.items ?? []).map((item) => item.node?.selector ?? item.description ?? "");
    return `${id}: ${nodes.slice(0, 3).join(", ")}`;
  });
}

async function repeat(address, slowDown) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await runOnce(address, slowDown));
  return runs;
}

/**
 * Lighthouse with its phone, its network and its slower processor. @returns What each run of an
 * address found.
 */
export function measureScores(address) {
  return repeat(address, mobileSlow4G.cpuSlowdownMultiplier);
}

/**
 * The same, with the slow-down that Lighthouse's documentation gives for a machine as fast as this
 * one.
 *
 * @param machine - Lighthouse's benchmark index of the machine.
 */
export async function measureCalibrated(address, machine) {
  const { slowDown } = CALIBRATED.find(({ fromIndex }) => machine >= fromIndex);
  return { slowDown, runs: await repeat(address, slowDown) };
}
