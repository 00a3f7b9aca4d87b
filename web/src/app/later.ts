import type { RuntimeConfig } from "@/shared/api/model.ts";
import { mendStyles } from "@/shared/load-code.ts";
import { whenIdle } from "@/shared/when-idle.ts";
import { PlayVideo } from "./screen-components.ts";
import { whenStill } from "./when-still.ts";

/**
 * How long the first screen has the network to itself, in milliseconds; a visitor's first touch
 * ends it.
 */
const HEAD_START_MS = 2500;

/** Prepares what makes later taps fast, once the first screen is drawn. */
export function startLater(config: RuntimeConfig): void {
  whenStill(() => {
    whenIdle(() => void import("./ready-player.ts").then((ready) => ready.readyPlayer(config)));
    whenIdle(
      () =>
        void PlayVideo.preload().catch((error: unknown) => console.info("播放页预加载失败", error)),
    );
    whenIdle(
      () => void import("./background.ts").then((background) => background.startBackground(config)),
    );
  }, HEAD_START_MS);
  // A style sheet of the document itself that failed to load.
  const mend = () => void mendStyles().catch((error: unknown) => console.warn(error));
  whenIdle(mend);
  window.addEventListener("online", mend);
}
