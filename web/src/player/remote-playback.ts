/** WebKit's own way to AirPlay. */
interface WebKitVideo extends HTMLVideoElement {
  webkitShowPlaybackTargetPicker?: () => void;
}

/**
 * Reports whether there is a screen to which the video can be sent (Remote Playback API, or
 * AirPlay). If the browser cannot tell, such as for a source it cannot hand over, there is none.
 *
 * @param signal - ends it.
 */
export function watchScreens(
  video: HTMLVideoElement,
  onChange: (isThere: boolean) => void,
  signal: AbortSignal,
): void {
  if ("webkitShowPlaybackTargetPicker" in video) {
    const onAvailability = (event: Event) =>
      onChange((event as Event & { availability?: string }).availability === "available");
    video.addEventListener("webkitplaybacktargetavailabilitychanged", onAvailability, { signal });
    return;
  }
  if (!("remote" in video)) return;
  void watchRemote((video as HTMLVideoElement).remote, onChange, signal);
}

async function watchRemote(
  remote: RemotePlayback,
  onChange: (isThere: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const id = await remote.watchAvailability((isThere) => !signal.aborted && onChange(isThere));
    const stop = () => void remote.cancelWatchAvailability(id).catch(() => {});
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  } catch {
    // A browser that cannot watch for screens rejects the call.
    if (!signal.aborted) onChange(false);
  }
}

/** Lets the visitor choose a screen; needs a gesture. Closing the list is not a failure. */
export async function chooseScreen(video: HTMLVideoElement): Promise<void> {
  const { webkitShowPlaybackTargetPicker } = video as WebKitVideo;
  if (webkitShowPlaybackTargetPicker) return webkitShowPlaybackTargetPicker.call(video);
  try {
    await video.remote.prompt();
  } catch (error) {
    console.info("投屏没有开始", error);
  }
}
