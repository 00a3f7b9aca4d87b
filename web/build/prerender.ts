import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { inlineFirstPaint } from "./inline-first-paint.ts";
import { FILE as PRELOADS, type Preloads } from "./preloads.ts";

const ROOT = '<div id="root"></div>';

/** Exports of the prerender entry: markup of home's and the list's boxes, and of the waiting page. */
interface Prerendered {
  readonly renderHome: () => Promise<string>;
  readonly renderList: () => Promise<string>;
  readonly renderWaiting: () => Promise<string>;
}

/** A document of the site. */
interface Page {
  readonly name: string;
  readonly markup: string;
  /** Addresses of the styles that its markup needs beside the entry's. */
  readonly styles: readonly string[];
}

async function stylesOf(screen: string, outDir: string): Promise<readonly string[]> {
  const files = JSON.parse(await readFile(join(outDir, PRELOADS), "utf8")) as Preloads;
  const found = files[screen];
  if (!found) throw new Error(`${PRELOADS} lacks ${screen}`);
  return found.styles;
}

async function renderPages(entry: string, outDir: string): Promise<readonly Page[]> {
  const folder = join(outDir, "prerender");
  try {
    await build({
      build: { ssr: entry, outDir: folder, emptyOutDir: true, copyPublicDir: false },
      logLevel: "warn",
    });
    const module = (await import(pathToFileURL(join(folder, "prerender.js")).href)) as Prerendered;
    return [
      { name: "index.html", markup: await module.renderHome(), styles: [] },
      {
        name: "list.html",
        markup: await module.renderList(),
        styles: await stylesOf("/list", outDir),
      },
      { name: "shell.html", markup: await module.renderWaiting(), styles: [] },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Prerenders the pages at build time: `index.html` is home's shell with its skeleton, which the
 * browser shows before any code has arrived, `list.html` is a list's; `shell.html` serves every other
 * address.
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
      const document = await readFile(join(outDir, "index.html"), "utf8");
      if (!document.includes(ROOT)) throw new Error("index.html lacks the root element");
      for (const { name, markup, styles } of await renderPages(entry, outDir)) {
        const links = styles.map((url) => `<link rel="stylesheet" crossorigin href="${url}">`);
        const styled = document.replace("</head>", () => `${links.join("")}</head>`);
        const inlined = await inlineFirstPaint(styled, outDir);
        const page = inlined.replace(ROOT, () => `<div id="root">${markup}</div>`);
        await writeFile(join(outDir, name), page);
      }
    },
  };
}
