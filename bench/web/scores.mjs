import { CHROMIUM, CHROMIUM_ARGUMENTS, launch, lighthouse } from "./dependencies.mjs";

const RUNS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const FIGURES = {
  lcp: "largest-contentful-paint",
  cls: "cumulative-layout-shift",
  tbt: "total-blocking-time",
};

async function runOnce(url) {
  const chrome = await launch({
    chromePath: CHROMIUM,
    chromeFlags: ["--headless=new", "--disable-gpu", ...CHROMIUM_ARGUMENTS],
  });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: "error", onlyCategories: CATEGORIES });
    const figures = Object.entries(FIGURES).map(([name, audit]) => [name, lhr.audits[audit].numericValue]);
    const scores = CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
    return { ...Object.fromEntries([...scores, ...figures]), complaints: complaintsOf(lhr) };
  } finally {
    await chrome.kill();
  }
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

/** Lighthouse with its phone, its network and its slower processor. @returns What each run of an address found. */
export async function measureScores(address) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await runOnce(address));
  return runs;
}
