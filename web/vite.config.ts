import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanReact } from "./build/lean-react.ts";
import { preloads } from "./build/preloads.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";

const API = "http://127.0.0.1:8000";

/** What the players share: in one file, for a dozen small ones cost a slow network more. */
const PLAYERS =
  /src\/(player\/|features\/(favourites\/(favourite-marks|cached-favourites)|share-unlock\/unlock-tile)|shared\/(api\/(send|personal-calls|play-events|share-calls)|unlocks\/counts|format\/play-time|share-link|ui\/avatar))/;

/** What the screens with lists share, likewise. */
const LISTS = /src\/(features\/list\/(?!sheet|drag)|shared\/ui\/(nav-bar|segments|state-panel))/;

/** The ranks, by themselves and below /find. */
const RANKS = /src\/(screens\/rank\/|features\/rank\/|shared\/ui\/tab-head)/;

/** Pieces of players and lists. */
const PIECES =
  /src\/(features\/list\/(sheet|drag)|shared\/(messages\/texts|api\/list-calls|server-state\/(paged-list|paging|use-paged-list)))|node_modules\/@tabler\//;

/** Home's block of topics, whose styles the page of one shares. */
const TOPICS = /src\/features\/topics\//;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  plugins: [
    react({ compiler: true }),
    leanReact(),
    preloads(),
    prerender(path("src/prerender.tsx")),
    serviceWorker(path("src/service-worker/service-worker.ts")),
  ],
  resolve: { alias: { "@": path("src") } },
  server: {
    proxy: {
      "/api": API,
      "/media": API,
      "/enc": API,
      "/site": API,
      "/manifest.webmanifest": API,
    },
  },
  build: {
    modulePreload: { polyfill: false },
    // The video engine's full build, which only films with several audio tracks load.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // "use no memo" speaks to the compiler, which has read it by then.
      onLog: (level, log, handle) => log.code !== "MODULE_LEVEL_DIRECTIVE" && handle(level, log),
      output: {
        // What home and the other screens share, in one file: cut finer, each piece would be compressed for itself.
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 2 },
            { name: "pieces", test: PIECES, priority: 1, minShareCount: 2 },
            { name: "players", test: PLAYERS },
            { name: "lists", test: LISTS },
            { name: "topics", test: TOPICS },
            { name: "ranks", test: RANKS },
          ],
        },
      },
    },
  },
});
