import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";

/** Tells the server which code each screen needs; see `WebPages` there. */
export const FILE = "preloads.json";

/** What the file holds: addresses of each screen's code and styles. */
export type Preloads = Readonly<
  Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>
>;

/**
 * Screens that visitors open through external links, and the modules that `screen-components.ts`
 * loads for them.
 */
const SCREENS: Readonly<Record<string, readonly string[]>> = {
  "/playVideo": ["src/screens/play-video/play-video-screen.tsx"],
  "/playVideoShare": ["src/screens/play-video/play-video-share-screen.tsx"],
  "/list": ["src/screens/list/list-screen.tsx"],
  "/searchList": ["src/screens/search-list/search-list-screen.tsx"],
  "/miin": ["src/screens/miin/miin-screen.tsx"],
};

interface Files {
  readonly scripts: Set<string>;
  readonly styles: Set<string>;
}

/** Adds a chunk and all that it imports at once. */
function collect(bundle: Rolldown.OutputBundle, name: string, found: Files): Files {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || found.scripts.has(name)) return found;
  found.scripts.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.styles.add(style);
  for (const imported of chunk.imports) collect(bundle, imported, found);
  return found;
}

function noFiles(): Files {
  return { scripts: new Set(), styles: new Set() };
}

/**
 * Writes which files each screen needs beside the entry's, so that its document can preload them.
 */
export function preloads(): Plugin {
  let root = "";
  return {
    name: "preloads",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(config) {
      root = config.root;
    },
    // Not earlier: chunks that contain only styles are removed when the bundle is written.
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error("the build has no folder");
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const entry = noFiles();
      for (const { isEntry, fileName } of chunks) if (isEntry) collect(bundle, fileName, entry);
      const files = Object.entries(SCREENS).map(([path, modules]) => {
        const found = noFiles();
        for (const module of modules) {
          const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(resolve(root, module)));
          if (!chunk) throw new Error(`${module} is in no chunk`);
          collect(bundle, chunk.fileName, found);
        }
        const own = (of: keyof Files) =>
          [...found[of]].filter((name) => !entry[of].has(name)).map((name) => `/${name}`);
        return [path, { scripts: own("scripts"), styles: own("styles") }];
      });
      await writeFile(join(dir, FILE), JSON.stringify(Object.fromEntries(files)));
    },
  };
}
