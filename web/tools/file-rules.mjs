/**
 * Rules for files that no linter knows: a style sheet has at most 250 lines, a module 300, and no
 * two modules differ only by `.ts` and `.tsx`. Generated files (`.gen.ts`) may be longer.
 *
 * node tools/file-rules.mjs [FOLDER…]      src and build by default
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAX_LINES = { css: 250, ts: 300, tsx: 300 };

/** @param {string[]} folders */
function faultsOf(folders) {
  const faults = [];
  const modules = new Set();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const [, stem, kind] = /^(.+)\.(css|tsx?)$/.exec(entry.name) ?? [];
      if (!entry.isFile() || !kind || stem.endsWith(".gen")) continue;
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const lines = readFileSync(path, "utf8").split("\n").length - 1;
      const most = MAX_LINES[kind];
      if (lines > most) faults.push(`${path}: ${lines} lines, at most ${most}`);
      const name = path.replace(/\.tsx?$/, "");
      if (kind !== "css" && modules.has(name)) faults.push(`${name}: both .ts and .tsx`);
      if (kind !== "css") modules.add(name);
    }
  return faults;
}

const faults = faultsOf(process.argv.length > 2 ? process.argv.slice(2) : ["src", "build"]);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
