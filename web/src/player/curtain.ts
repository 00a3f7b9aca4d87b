import { currentLocation, interposeNavigation } from "@/shared/navigation/history.ts";
import { preparedSession } from "./session-slot.ts";
import { after } from "./timing.ts";

/** A page that has not been drawn by then has failed: what lies under the curtain is shown again. */
const LONGEST_MS = 3000;
/** The page is drawn after the first picture, or after so long, milliseconds. */
const HEAD_START_MS = 150;
/** From here on the player stands in the middle of its page (specification §1). */
const PC_WIDTH = 1024;

let lower: () => void = () => {};

/**
 * Shows a tapped video in the place that its page will give it, before the page is drawn: that takes a
 * slow phone two tenths of a second. The page takes the element over, and calls
 * {@link lowerCurtain}.
 *
 * @param mayRaise - whether nothing stands between a tap and the video: no advertisement, no login.
 */
export function raiseCurtains(mayRaise: () => boolean): void {
  interposeNavigation((goOn) => {
    lowerCurtain();
    const { pathname, search } = currentLocation();
    const session = preparedSession();
    const isItsPage = pathname === "/playVideo" && search === `?id=${session?.id}`;
    if (!session || !isItsPage || window.innerWidth >= PC_WIDTH || !mayRaise()) return goOn();
    const { video, signal } = session;
    const curtain = raise(video);
    const life = new AbortController();
    lower = () => {
      life.abort();
      curtain.remove();
    };
    after(LONGEST_MS, lowerCurtain, life.signal);
    signal.addEventListener("abort", lowerCurtain, { once: true, signal: life.signal });
    session.play();
    afterPicture(video, goOn);
  });
}

/** Takes it away: the page stands there, or will not come. */
export function lowerCurtain(): void {
  lower();
  lower = () => {};
}

function raise(video: HTMLVideoElement): HTMLElement {
  const curtain = document.createElement("div");
  curtain.className = "player-curtain";
  const box = curtain.appendChild(document.createElement("div"));
  box.className = "player";
  box.dataset.portrait = String(video.videoHeight > video.videoWidth);
  const host = box.appendChild(document.createElement("div"));
  host.className = "player-host";
  host.append(video);
  document.body.append(curtain);
  return curtain;
}

/** Runs a task once the element's next picture is on the screen, or has taken too long. */
function afterPicture(video: HTMLVideoElement, task: () => void): void {
  const run = () => {
    stop.abort();
    task();
  };
  const stop = new AbortController();
  after(HEAD_START_MS, run, stop.signal);
  if (!("requestVideoFrameCallback" in video)) return;
  const watch = video.requestVideoFrameCallback(run);
  stop.signal.addEventListener("abort", () => video.cancelVideoFrameCallback(watch));
}
