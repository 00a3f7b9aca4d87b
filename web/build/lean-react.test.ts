import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { cutUncalled } from "./lean-react.ts";

const { resolve } = createRequire(import.meta.url);

function production(part: string, name: string): string {
  return readFileSync(join(dirname(resolve(part)), "cjs", name), "utf8");
}

it.each([
  ["react", "react.production.js", /exports\.(Children|cloneElement) =/],
  ["react-dom", "react-dom-client.production.js", /require\("react-dom"\)|SharedInternals\.d = /],
  ["scheduler", "scheduler.production.js", /exports\.unstable_(forceFrameRate|next|wrapC\w+) =/],
])("the installed %s is cut", (part, name, uncalled) => {
  const code = production(part, name);
  expect(code).toMatch(uncalled);
  expect(cutUncalled(name, code)).not.toMatch(uncalled);
});

it("refuses another version, whose text differs", () => {
  expect(() => cutUncalled("react.production.js", "exports.Kids = {};")).toThrow(/has changed/);
});

it("leaves every other file alone", () => {
  expect(cutUncalled("another.production.js", "exports.Children = 1;")).toBe(
    "exports.Children = 1;",
  );
});
