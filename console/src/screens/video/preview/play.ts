import type Hls from "hls.js";
import type { Playback } from "@/shared/api/types.ts";

const HLS_TYPE = "application/vnd.apple.mpegurl";
const NOT_PLAYABLE = "这个浏览器放不了这个视频";
const FAILED = "播放中断，请检查网络或隧道，再试一次";

/**
 * Gives an element a film to play.
 *
 * @param onFault - is told once what went wrong, for the operator.
 * @returns takes the film away again.
 */
export function attach(
  element: HTMLVideoElement,
  playback: Playback,
  onFault: (said: string) => void,
): () => void {
  let hls: Hls | null = null;
  let isOver = false;
  const open = async () => {
    const Library = await libraryFor(playback);
    if (isOver) return;
    if (Library.isSupported()) hls = loaded(Library, element, playback.playlist, onFault);
    else playDirectly(element, playback, onFault);
  };
  open().catch(() => {
    if (!isOver) onFault(FAILED);
  });
  return () => {
    isOver = true;
    hls?.destroy();
    element.removeAttribute("src");
    element.load();
  };
}

function loaded(
  Library: typeof Hls,
  element: HTMLVideoElement,
  playlist: string,
  onFault: (said: string) => void,
): Hls {
  const hls = new Library({
    // Our segments need no remuxing, and the console's policy allows no worker of a blob.
    enableWorker: false,
    // Watching alone keeps no session alive.
    xhrSetup: (request) => {
      request.setRequestHeader("x-background", "1");
    },
  });
  hls.on(Library.Events.ERROR, (_, { fatal }) => {
    if (fatal) onFault(FAILED);
  });
  hls.loadSource(playlist);
  hls.attachMedia(element);
  return hls;
}

/** The light build cannot play sound that lies beside the pictures. */
async function libraryFor(playback: Playback): Promise<typeof Hls> {
  const found = playback.has_audio_tracks ? await import("hls.js") : await import("hls.js/light");
  return found.default;
}

/** Where there is no MediaSource: iPhones play the playlist themselves, anything the MP4. */
function playDirectly(
  element: HTMLVideoElement,
  playback: Playback,
  onFault: (said: string) => void,
): void {
  const address = element.canPlayType(HLS_TYPE) ? playback.playlist : playback.progressive;
  if (!address) {
    onFault(NOT_PLAYABLE);
    return;
  }
  element.addEventListener("error", () => {
    onFault(FAILED);
  });
  element.src = address;
}
