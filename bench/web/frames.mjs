// Whether frames stop for good under the slowed-down processor, and in which of two pages: the long
// list, and a plain page of the same length without any code of ours. In turn, so that what disturbs
// the machine disturbs both.
//
//   node bench/web/frames.mjs [ROUNDS] [URL]
import { CHROMIUM, CHROMIUM_ARGUMENTS, chromium, PHONE } from "./dependencies.mjs";
import { startInstallation } from "./installation.mjs";
import { scrollOnce, scrollSlowly } from "./long-list.mjs";

const ROUNDS = 10;
/** As high as the list of 5,000. */
const PLAIN = `<!doctype html><style>p{height:240px;margin:0;border:1px solid}</style>
<body><script>for (let n = 0; n < 2500; n++) document.body.append(document.createElement("p"));</script>
<i class="list-tail-end"></i>`;

/** The same scrolling in a page of paragraphs. */
async function scrollPlain(browser) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.setContent(PLAIN);
  const figures = await scrollSlowly(browser, page, "a plain page");
  await context.close();
  return figures;
}

async function measure(url, rounds) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
  const counts = { "the long list": [], "a plain page": [] };
  for (let round = 0; round < rounds; round += 1) {
    counts["the long list"].push(await scrollOnce(browser, url));
    counts["a plain page"].push(await scrollPlain(browser));
    console.error(Object.values(counts).map((runs) => runs.at(-1).isStopped));
  }
  await browser.close();
  const lines = Object.entries(counts).map(([name, runs]) => {
    const stopped = runs.filter(({ isStopped }) => isStopped);
    const frames = runs.reduce((sum, run) => sum + run.frames.length, 0);
    return `| ${name} | ${runs.length} | ${frames.toLocaleString("en-US")} | ${stopped.length} | ${stopped.filter(({ stop }) => stop.withoutEmulation).length} |`;
  });
  const head = "| page | runs | frames | runs without frames any more | of these, frames again without emulation |";
  console.log([head, "|---|---|---|---|---|", ...lines].join("\n"));
}

const [rounds = ROUNDS, given] = process.argv.slice(2);
const installation = given ? { url: given, stop: async () => {} } : await startInstallation();
try {
  await measure(installation.url, Number(rounds));
} finally {
  await installation.stop();
}
