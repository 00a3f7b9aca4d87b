import { decodeThumbHash } from "./thumb-hash.ts";

/** Draw a ThumbHash (base64) onto a canvas. A broken one leaves the canvas empty. */
export function drawThumb(canvas: HTMLCanvasElement, thumb: string): void {
  try {
    const hash = Uint8Array.from(atob(thumb), (character) => character.charCodeAt(0));
    const { width, height, rgba } = decodeThumbHash(hash);
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d")?.putImageData(new ImageData(rgba, width, height), 0, 0);
  } catch (error) {
    console.warn("ThumbHash", error);
  }
}
