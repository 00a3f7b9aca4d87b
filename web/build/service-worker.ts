import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";

/** The video engine: offline it has nothing to play. */
const NEEDS_NETWORK = /^hls/;
const FOLDERS = ["assets", "icons"];

async function precache(outDir: string): Promise<{ version: string; files: string[] }> {
  const files = ["/favicon.svg"];
  for (const folder of FOLDERS) {
    const names = await readdir(join(outDir, folder));
    files.push(
      ...names.filter((name) => !NEEDS_NETWORK.test(name)).map((name) => `/${folder}/${name}`),
    );
  }
  return {
    version: createHash("sha256").update(files.sort().join()).digest("hex").slice(0, 12),
    files,
  };
}

/** Builds the service worker into one file at the root, so that its scope is the whole site. */
export function serviceWorker(entry: string): Plugin {
  let outDir = "";
  return {
    name: "service-worker",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: "warn",
        define: { PRECACHE: JSON.stringify(await precache(outDir)) },
        build: {
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: entry,
            output: { format: "iife", entryFileNames: "service-worker.js" },
          },
        },
      });
    },
  };
}
