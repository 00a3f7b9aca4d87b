// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { AD_TRACKING_MS, trackAd } from "./ad-tracking.ts";

beforeEach(() => localStorage.clear());

it("counts one opening of an address within 24 h", () => {
  const start = 1_800_000_000_000;
  expect(trackAd("https://a.example/", start)).toBe(true);
  expect(trackAd("https://a.example/", start + AD_TRACKING_MS - 1)).toBe(false);
  expect(trackAd("https://b.example/", start + 1)).toBe(true);
  expect(trackAd("https://a.example/", start + AD_TRACKING_MS)).toBe(true);
});
