import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { inlineFirstPaint } from "./inline-first-paint.ts";

const ROOT = '<div id="root"></div>';

/** Exports of the prerender entry: the markup of home's shell and of the waiting page. */
interface Prerendered {
  readonly renderHome: () => Promise<string>;
  readonly renderWaiting: () => Promise<string>;
}

async function renderPages(entry: string, outDir: string): Promise<Record<string, string>> {
  const folder = join(outDir, "prerender");
  try {
    await build({
      build: { ssr: entry, outDir: folder, emptyOutDir: true, copyPublicDir: false },
      logLevel: "warn",
    });
    const module = (await import(pathToFileURL(join(folder, "prerender.js")).href)) as Prerendered;
    return { "index.html": await module.renderHome(), "shell.html": await module.renderWaiting() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Prerenders the pages at build time: `index.html` is home's shell with its skeleton, which the
 * browser shows before any code has arrived; `shell.html` serves every other address.
 */
export function prerender(entry: string): Plugin {
  let outDir = "";
  return {
    name: "prerender",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const document = await inlineFirstPaint(
        await readFile(join(outDir, "index.html"), "utf8"),
        outDir,
      );
      if (!document.includes(ROOT)) throw new Error("index.html lacks the root element");
      for (const [name, markup] of Object.entries(await renderPages(entry, outDir))) {
        await writeFile(
          join(outDir, name),
          document.replace(ROOT, () => `<div id="root">${markup}</div>`),
        );
      }
    },
  };
}
