import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { preloads } from "./build/preloads.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";

const API = "http://127.0.0.1:8000";

const BASE =
  /node_modules\/(react|react-dom|scheduler|zustand)\/|src\/shared\/(answers|config\/(boot|config)|format\/(count|relative-time)|intent|messages|navigation|storage\/(entries|identity|parsers|registry|use-stored)|store|api\/(client|get|calls|mapping)|ui\/(base\.css|emblem|tiles|use-))|src\/player\/media-address/;

/** What the players share: in one file, for a dozen small ones cost a slow network more. */
const PLAYERS = /src\/(player\/|shared\/(api\/(send|personal-calls)|format\/play-time|share-link|ui\/avatar))/;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  plugins: [
    react({ compiler: true }),
    tailwindcss(),
    preloads(),
    prerender(path("src/prerender.tsx")),
    serviceWorker(path("src/service-worker/service-worker.ts")),
  ],
  resolve: { alias: { "@": path("src") } },
  server: { proxy: { "/api": API, "/media": API, "/enc": API } },
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use no memo" speaks to the compiler, which has read it by then.
      onLog: (level, log, handle) => log.code !== "MODULE_LEVEL_DIRECTIVE" && handle(level, log),
      output: {
        // What home and the other screens share, in one file: cut finer, each piece would be compressed for itself.
        codeSplitting: {
          groups: [
            { name: "base", test: BASE },
            { name: "players", test: PLAYERS },
          ],
        },
      },
    },
  },
});
