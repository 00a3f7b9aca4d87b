interface FirstPicture {
  /** By its address: decrypted; undefined where the bytes in the document are damaged. */
  readonly opened: Readonly<Record<string, Promise<Blob | undefined>>>;
  /** Fulfilled when it is painted, or takes longer than it may. */
  readonly painted: Promise<void>;
}

declare global {
  interface Window {
    /** Set by `public/first-picture.js`, which draws a first screen's largest picture. */
    firstPicture?: FirstPicture;
  }
}

/** Takes it away: the application has drawn its own, or another screen is shown. */
export function removeFirstPicture(): void {
  document.getElementById("first-picture")?.remove();
}
