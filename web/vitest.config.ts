import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      // Only what needs a document asks for one, in its first line: making one takes longer than most tests.
      environment: "node",
      include: ["src/**/*.test.{ts,tsx}", "build/**/*.test.ts"],
      setupFiles: ["src/shared/testing/console-is-quiet.ts"],
      restoreMocks: true,
      // By itself it leaves a processor to an editor: nobody works beside it here.
      maxWorkers: "100%",
    },
  }),
);
