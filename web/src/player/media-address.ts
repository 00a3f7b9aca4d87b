let mediaBase = "";

/** Tell the player where media live; called once at the start. Empty means our own origin. */
export function configureMedia(base: string): void {
  mediaBase = base;
}

/** Full address of a playlist or a media file that the server names by its path. */
export function mediaAddress(path: string): string {
  return path.startsWith("/") ? mediaBase + path : path;
}
