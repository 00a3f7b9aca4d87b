import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { setSite, siteIdentity } from "@/shared/config/site.ts";
import { Emblem } from "./emblem.tsx";
import { Wordmark } from "./wordmark.tsx";

const standard = siteIdentity();
afterEach(() => setSite(standard));

// The server writes the same elements into prerendered markup (`backend/tests/cli/test_site.py`).
it.each([standard.name, "流影"])("is drawn for %j", (name) => {
  setSite({ ...standard, name });
  expect(renderToStaticMarkup(<Wordmark className="a" />)).toMatch(
    /^<svg class="a" viewBox="0 0 51\.5 24\.5"/,
  );
  expect(renderToStaticMarkup(<Emblem className="a" />)).toMatch(
    /^<svg class="a" viewBox="9 4 36 40"/,
  );
});

it("is the operator's own name in letters", () => {
  setSite({ ...standard, name: "山<海" });
  expect(renderToStaticMarkup(<Wordmark className="home-wordmark" />)).toBe(
    '<b class="home-wordmark site-name">山&lt;海</b>',
  );
});

it("is the operator's own pictures", () => {
  setSite({ ...standard, name: "山海", logo: "/site/logo.png?v=1", icon: "/site/icon.png?v=2" });
  expect(renderToStaticMarkup(<Wordmark className="w" />)).toContain(
    '<img class="w" src="/site/logo.png?v=1" alt=""/>',
  );
  expect(renderToStaticMarkup(<Emblem className="e" />)).toContain(
    '<img class="e" src="/site/icon.png?v=2" alt=""/>',
  );
});
