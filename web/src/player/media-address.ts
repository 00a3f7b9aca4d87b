let mediaBase = "";

/** Set the media origin; called once at the start. Empty means our own. */
export function configureMedia(base: string): void {
  mediaBase = base;
}

/** Full address of a playlist or a media file that the server names by its path. */
export function mediaAddress(path: string): string {
  return path.startsWith("/") ? mediaBase + path : path;
}
