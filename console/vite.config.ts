import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The console process, where it serves the calls in development. */
const API = "http://localhost:9100";

/** What pages of all kinds need. */
const SHARED = /src\/(shared|features\/session)\//;
/** What forms are made of. */
const FORMS = /node_modules\/(zod|react-hook-form|@hookform)\//;
/** The pages about the site's content, and those of an owner. */
const CONTENT =
  /src\/(features\/(content|maintenance)|screens\/(?!uploads|videos?\/|jobs|overview|figures|login|enter|more))/;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  plugins: [react({ compiler: true })],
  resolve: { alias: { "@": path("src") } },
  server: { proxy: { "/api": API }, fs: { allow: ["..", path(".")] } },
  build: {
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 2 },
            { name: "shared", test: SHARED, priority: 1, minShareCount: 2 },
            { name: "forms", test: FORMS, priority: 1, minShareCount: 2 },
            // Whoever opens one of these pages opens others: together they are smaller by a tenth.
            { name: "content", test: CONTENT, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
