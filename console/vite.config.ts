import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The console process, where it serves the calls in development. */
const API = "http://localhost:9100";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  plugins: [react({ compiler: true })],
  resolve: { alias: { "@": path("src") } },
  server: { proxy: { "/api": API }, fs: { allow: ["..", path(".")] } },
  build: { modulePreload: { polyfill: false }, chunkSizeWarningLimit: 600 },
});
