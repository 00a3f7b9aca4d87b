import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";

// A site that `tools/packages-test` installed: it says where it is, and nothing is started here.
export default defineConfig({
  testDir: "package",
  outputDir: process.env.PACKAGE_OUTPUT ?? "test-results",
  workers: 1,
  timeout: 180_000,
  retries: 0,
  expect: { timeout: 15_000 },
  reporter: "line",
  ...(base.use === undefined ? {} : { use: base.use }),
});
