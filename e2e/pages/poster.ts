import type { Page } from "@playwright/test";

/** What a share poster shows, read from its pixels. */
export interface PosterReading {
  /** Text of its QR code. */
  readonly text: string;
  /** Distinct colours in the cover's box. */
  readonly coverColours: number;
}

/**
 * Where the code and the cover stand, and how wide they are: the poster's own measures, in its
 * pixels.
 */
const MARGIN = 40;
const COVER = { x: 60, y: 60, width: 630, height: 330 };

interface Pixels {
  readonly modules: readonly (readonly boolean[])[];
  readonly coverColours: number;
}

/** Reads the modules and the cover in the browser, which decodes the file. */
function pixelsOf(page: Page, png: Buffer): Promise<Pixels> {
  return page.evaluate(
    async ({ bytes, margin, cover }) => {
      const data = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const pen = canvas.getContext("2d");
      if (!pen) throw new Error("no canvas");
      pen.drawImage(bitmap, 0, 0);
      const { data: all, width, height } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      const colour = (x: number, y: number) =>
        all.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join();
      const isDark = (x: number, y: number) => (all[4 * (y * width + x)] ?? 255) < 128;
      // The code ends at the margins; its quiet zone of four modules comes before them.
      let right = width - margin - 1;
      const isEmptyColumn = (x: number) => {
        for (let y = height - margin - 200; y < height - margin; y += 1)
          if (isDark(x, y)) return false;
        return true;
      };
      while (isEmptyColumn(right)) right -= 1;
      const moduleSize = (width - margin - 1 - right) / 4;
      let bottom = height - margin - 1 - 4 * moduleSize;
      // Its lower right corner may be light: the lower left finder is not. Its upper right finder
      // gives the width.
      let top = bottom;
      const isDarkIn = (y: number) => {
        for (let x = right - 7 * moduleSize + 1; x <= right; x += 1) if (isDark(x, y)) return true;
        return false;
      };
      for (let y = bottom; y > bottom - 400; y -= 1) if (isDarkIn(y)) top = y;
      const size = Math.round((bottom + 1 - top) / moduleSize);
      const left = right + 1 - size * moduleSize;
      const middle = (place: number) => Math.floor((place + 0.5) * moduleSize);
      const modules = Array.from({ length: size }, (_, y) =>
        Array.from({ length: size }, (_unused, x) => isDark(left + middle(x), top + middle(y))),
      );
      const colours = new Set<string>();
      for (let y = cover.y; y < cover.y + cover.height; y += 3)
        for (let x = cover.x; x < cover.x + cover.width; x += 3) colours.add(colour(x, y));
      return { modules, coverColours: colours.size };
    },
    { bytes: png.toString("base64"), margin: MARGIN, cover: COVER },
  );
}

const MASKS: readonly ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];
/** Data codewords of each block at medium correction, by version (ISO/IEC 18004, table 9). */
const BLOCKS: Readonly<Record<number, readonly number[]>> = {
  3: [44],
  4: [32, 32],
  5: [43, 43],
  6: [27, 27, 27, 27],
};

/**
 * The text of an undamaged code of version 3 to 6 with medium correction, in bytes; errors are not
 * corrected.
 */
function decode(modules: readonly (readonly boolean[])[]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const at = (y: number, x: number) => modules[y]?.[x] ?? false;
  // Format: 15 bits beside the upper left finder, of which the first five say correction and mask.
  const format = [0, 1, 2, 3, 4].reduce((bits, x) => 2 * bits + Number(at(8, x)), 0) ^ 0b10101;
  if (format >> 3 !== 0) throw new Error("not of medium correction");
  const mask = MASKS[format & 7];
  const blocks = BLOCKS[version];
  if (!mask || !blocks) throw new Error(`version ${version} is not read`);
  const middle = size - 7;
  const isFunction = (y: number, x: number) =>
    (y < 9 && (x < 9 || x >= size - 8)) ||
    (y >= size - 8 && x < 9) ||
    y === 6 ||
    x === 6 ||
    (Math.abs(y - middle) <= 2 && Math.abs(x - middle) <= 2);
  const bits: number[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1])
        if (!isFunction(y, x)) bits.push(Number(at(y, x) !== mask(y, x)));
    }
    isUp = !isUp;
  }
  const codeword = (index: number) =>
    bits.slice(8 * index, 8 * index + 8).reduce((sum, bit) => 2 * sum + bit, 0);
  const data = blocks.flatMap((length, block) =>
    Array.from({ length }, (_, index) => codeword(index * blocks.length + block)),
  );
  const stream = data.flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1),
  );
  const number = (start: number, length: number) =>
    stream.slice(start, start + length).reduce((sum, bit) => 2 * sum + bit, 0);
  if (number(0, 4) !== 4) throw new Error("not in bytes");
  const length = number(4, 8);
  return Buffer.from(Array.from({ length }, (_, index) => number(12 + 8 * index, 8))).toString(
    "utf8",
  );
}

/** What the file of a share poster shows. */
export async function readPoster(page: Page, png: Buffer): Promise<PosterReading> {
  const { modules, coverColours } = await pixelsOf(page, png);
  return { text: decode(modules), coverColours };
}
