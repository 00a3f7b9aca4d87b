import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { freePort } from "./fixtures/free-port.ts";

function findChromium(): string {
  if (process.env.LIUYING_CHROMIUM) return process.env.LIUYING_CHROMIUM;
  const find = "command -v chromium || command -v chromium-browser || command -v google-chrome";
  return execFileSync("sh", ["-c", find], { encoding: "utf8" }).trim();
}

// A port given from outside is that of an installation that already serves.
const isServed = process.env.E2E_PORT !== undefined;
// Workers read this file again: the environment carries what the first reading decided.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_FOLDER ??= join(tmpdir(), `liuying-e2e-${process.pid}`);
process.env.E2E_CHROMIUM ??= findChromium();
// The second installation: for partners' visitors alone. Its host pages are drawn by the tests
// themselves.
process.env.E2E_PARTNER_PORT ??= String(await freePort());
process.env.E2E_HOST_ORIGIN ??= `http://localhost:${await freePort()}`;
process.env.E2E_COUNTER_PORT ??= String(await freePort());
process.env.E2E_CONSOLE_PORT ??= String(await freePort());
// Passkeys want a name, and `localhost` is one.
const consoleURL = `http://localhost:${process.env.E2E_CONSOLE_PORT}`;
// The site's own installations take a minute to fill, which the console's tests alone do not need.
const isConsoleAlone = process.argv.includes("--project=console");
const partnerURL = `http://127.0.0.1:${process.env.E2E_PARTNER_PORT}`;
const counterURL = `http://127.0.0.1:${process.env.E2E_COUNTER_PORT}/hit`;
const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`;

const UNUSED_FEATURES = [
  // Host pages drawn by the tests have no network address: the browser would keep them from this
  // machine.
  "LocalNetworkAccessChecks",
  // What drops down from the address bar is two web pages in a process of their own, for every
  // window: they cost more than half of what ours does.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // A process started ahead for the next page waits in vain where every test has a context of its
  // own.
  "SpareRendererForSitePerProcess",
];

const SITE_SERVERS = [
  {
    command: `../.venv/bin/python fixtures/serve.py "${process.env.E2E_FOLDER}" ${process.env.E2E_PORT}`,
    url: `${baseURL}/api/config`,
    timeout: 240_000,
    reuseExistingServer: isServed,
    stdout: "ignore",
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
  {
    command: `../.venv/bin/python fixtures/serve_partner.py "${process.env.E2E_FOLDER}/partner" ${process.env.E2E_PARTNER_PORT} ${process.env.E2E_HOST_ORIGIN} ${counterURL}`,
    url: `${partnerURL}/api/config`,
    timeout: 60_000,
    stdout: "ignore",
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
] as const;

export default defineConfig({
  projects: [
    { name: "site", testDir: "specs" },
    { name: "console", testDir: "console", use: { baseURL: consoleURL } },
  ],
  // Half of a test is waiting for pictures and for time to pass: two share the machine well.
  workers: 2,
  timeout: 60_000,
  // No test is given a second chance by hand: one that fails now and then has found something, in
  // the site or in itself. Where a change waits to land, one such test names itself as flaky at
  // the end instead of stopping everybody's work.
  retries: process.env.CI ? 1 : 0,
  // How long a state is waited for. It says nothing of speed: a busy machine takes its time.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? "line" : "list",
  globalTeardown: "./fixtures/remove-folder.ts",
  use: {
    baseURL,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    colorScheme: "dark",
    // Recording every test would take a fifth of the time.
    trace: "off",
    launchOptions: {
      executablePath: process.env.E2E_CHROMIUM,
      args: [
        "--no-sandbox",
        // A question of the test's own counts as a gesture: without this, a video starts by itself
        // only where the first question comes before it. What phones demand is laid on them in
        // autoplay.spec.ts.
        "--autoplay-policy=no-user-gesture-required",
        // There is none, and imitating one takes a tenth of the processor.
        "--disable-gpu",
        "--disable-quic",
        `--disable-features=${UNUSED_FEATURES.join()}`,
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  webServer: [
    ...(isConsoleAlone ? [] : SITE_SERVERS),
    {
      command: `../.venv/bin/python fixtures/serve_console.py "${process.env.E2E_FOLDER}/console" ${process.env.E2E_CONSOLE_PORT}`,
      url: `${consoleURL}/login`,
      timeout: 60_000,
      stdout: "ignore",
      gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    },
  ],
});
