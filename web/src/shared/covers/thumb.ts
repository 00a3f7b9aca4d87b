import { decodeThumbHash, type Pixels } from "./thumb-hash.ts";

const HEADER_BYTES = 54;

/**
 * A bitmap of 24 bits per pixel (BITMAPINFOHEADER). It needs no compression, and the browser
 * decodes it off the page's thread; a canvas per placeholder took a slow phone ten times as long.
 */
function bitmapOf({ width, height, bgr }: Pixels): Uint8Array {
  // Rows are padded to four bytes and run from the last to the first.
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(HEADER_BYTES + row * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, HEADER_BYTES, true);
  view.setUint32(14, HEADER_BYTES - 14, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; y += 1) {
    bytes.set(
      bgr.subarray(y * width * 3, (y + 1) * width * 3),
      HEADER_BYTES + (height - 1 - y) * row,
    );
  }
  return bytes;
}

/**
 * The address of a small picture that shows a ThumbHash.
 *
 * @param thumb - In base64.
 * @returns A `data:` address; null for a broken hash.
 */
export function thumbAddress(thumb: string): string | null {
  try {
    const hash = Uint8Array.from(atob(thumb), (character) => character.charCodeAt(0));
    return `data:image/bmp;base64,${btoa(String.fromCharCode(...bitmapOf(decodeThumbHash(hash))))}`;
  } catch (error) {
    console.warn("ThumbHash", error);
    return null;
  }
}
