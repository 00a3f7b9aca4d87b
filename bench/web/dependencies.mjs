// The browser tests' packages: the measurements have none of their own.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const require = createRequire(join(REPOSITORY, "e2e", "package.json"));

/** Load a package of the browser tests. */
async function load(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}

export const { chromium } = (await load("@playwright/test")).default;
export const lighthouse = (await load("lighthouse")).default;
/** Lighthouse's own network and processor of a phone. */
export const { mobileSlow4G } = (await load("lighthouse/core/config/constants.js")).throttling;
// Lighthouse brings its own launcher.
export const { launch } = await import(
  pathToFileURL(createRequire(require.resolve("lighthouse")).resolve("chrome-launcher")).href
);

export const CHROMIUM =
  process.env.LIUYING_CHROMIUM ??
  execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], {
    encoding: "utf8",
  }).trim();

export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // What drops down from the address bar is two web pages of the browser's own for every window.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
  "--no-first-run",
];

/** The phone that is measured. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: "zh-CN",
  timezoneId: "Asia/Shanghai",
};
