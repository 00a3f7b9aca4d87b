import { encode } from "uqr";

/** Modules of light ground that a reader needs on each side (ISO/IEC 18004). */
export const QUIET_ZONE = 4;

/**
 * A QR code's modules, row by row, true for dark; without the quiet zone. Medium error correction.
 */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: "M", border: 0 }).data;
}

/**
 * SVG path of the dark modules, one unit per module; runs are joined so that no hairlines appear
 * between them.
 */
export function qrPath(modules: readonly (readonly boolean[])[]): string {
  let path = "";
  modules.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  });
  return path;
}
