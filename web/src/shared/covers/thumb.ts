import { thumbHashToRGBA } from "thumbhash";

/** Draw a ThumbHash, some 32 pixels wide, onto a canvas. A broken one leaves the canvas empty. */
export function drawThumb(canvas: HTMLCanvasElement, thumb: string): void {
  try {
    const hash = Uint8Array.from(atob(thumb), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(hash);
    canvas.width = w;
    canvas.height = h;
    canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
  } catch (error) {
    console.warn("ThumbHash", error);
  }
}
