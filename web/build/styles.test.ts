import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

/** Classes that a style sheet speaks of by themselves, such as `.tile {`. */
function ownClasses(text: string): Set<string> {
  return new Set([...text.matchAll(/^\s*\.([\w-]+)\s*\{/gm)].map(([, name]) => name ?? ""));
}

it("no two style sheets mean different things by one class", () => {
  // Once a screen has been seen its styles stay: they would change the other's.
  const places = new Map<string, string[]>();
  for (const file of readdirSync(SOURCES, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".css")) continue;
    for (const name of ownClasses(readFileSync(SOURCES + file, "utf8"))) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});
