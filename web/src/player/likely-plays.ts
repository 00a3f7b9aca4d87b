import { onNavigation } from "@/shared/navigation/history.ts";
import { keepSpareEngine } from "./hls-engine.ts";
import { mediaAddress } from "./media-address.ts";
import { fetchOpening } from "./openings.ts";
import { isStageFree } from "./session-slot.ts";
import { stageVideo } from "./stage.ts";

/** A list that stands still for so long is being read, milliseconds. */
const STILL_MS = 600;
/** Videos whose beginning is fetched each time the page comes to rest. */
const MOST_A_REST = 4;
/** Videos whose beginning is fetched before a tap in one visit: of 100 kB each, 1.2 MB. */
const MOST_A_VISIT = 12;

let left = MOST_A_VISIT;
const fetched = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Fetches the first second of the videos that lie in front of the visitor, once the page stands
 * still: on a slow network it could not come between a tap and the first picture. Nothing is fetched
 * while a video plays, where data are to be saved or the network is very slow.
 *
 * @param prepare - asks for what else a video's page waits for; called before each series.
 */
export function watchLikelyPlays(prepare: () => void): void {
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void fetchInSight(prepare).catch(console.info), STILL_MS);
  };
  for (const name of ["scroll", "pointerdown"] as const)
    window.addEventListener(name, wait, { capture: true, passive: true });
  onNavigation(wait);
  wait();
}

/** One after the other: the one in front comes first. A scroll ends the series. */
async function fetchInSight(prepare: () => void): Promise<void> {
  const round = timer;
  for (const path of pathsInSight(document, window.innerHeight).slice(0, MOST_A_REST)) {
    if (timer !== round || left === 0 || !maySpend()) return;
    if (fetched.has(path)) continue;
    prepare();
    void keepSpareEngine(stageVideo()).catch(console.info);
    fetched.add(path);
    left -= 1;
    await fetchOpening(mediaAddress(path), "low");
  }
}

/** Master playlists of the tiles that lie wholly in the window, those in its middle first. */
export function pathsInSight(root: ParentNode, height: number): string[] {
  const tiles = [...root.querySelectorAll<HTMLElement>("a[data-path]")].flatMap((tile) => {
    const { top, bottom, width } = tile.getBoundingClientRect();
    const isInSight = width > 0 && top >= 0 && bottom <= height;
    return isInSight ? [{ path: tile.dataset.path ?? "", middle: (top + bottom) / 2 }] : [];
  });
  const distance = ({ middle }: { middle: number }) => Math.abs(middle - height / 2);
  return tiles.toSorted((one, other) => distance(one) - distance(other)).map(({ path }) => path);
}

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

function maySpend(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  const isPoor = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? "");
  return !isPoor && !document.hidden && isStageFree();
}
