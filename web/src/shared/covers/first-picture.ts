interface FirstPicture {
  /** Its path, as the calls name it. */
  readonly url: string;
  /** Decrypted; rejects where the bytes in the document are damaged. */
  readonly blob: Promise<Blob>;
  /** Fulfilled when it is painted, or never will be. */
  readonly painted: Promise<void>;
}

declare global {
  interface Window {
    /** Set by `public/first-picture.js`, which draws a first screen's largest picture. */
    firstPicture?: FirstPicture;
  }
}

/** A picture that takes longer delays nothing, in milliseconds. */
const MAX_WAIT_MS = 100;

/** Waits until the picture that the document draws is painted, where it draws one. */
export async function firstPicturePainted(): Promise<void> {
  const painted = window.firstPicture?.painted;
  if (!painted) return;
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.race([painted, isOver]);
}

/** The picture at an address, where the document held it and could decrypt it. */
export async function openedByDocument(address: string): Promise<Blob | undefined> {
  const first = window.firstPicture;
  return first && address.endsWith(first.url) ? first.blob.catch(() => undefined) : undefined;
}

/** Takes it away: the application has drawn its own, or another screen is shown. */
export function removeFirstPicture(): void {
  document.getElementById("first-picture")?.remove();
}
