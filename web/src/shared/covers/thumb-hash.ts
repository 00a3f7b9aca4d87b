/**
 * Longer side of a decoded placeholder, in pixels: it is stretched, and the hash contains no finer
 * detail.
 */
const LONGER_SIDE = 24;

/** A picture's pixels, 3 bytes each in a bitmap's order: blue, green, red. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bgr: Uint8ClampedArray;
}

/** The waves of one channel: its mean, and how strong each wave is, the lowest first. */
interface Channel {
  readonly mean: number;
  readonly columns: number;
  readonly rows: number;
  readonly waves: readonly number[];
}

/** Reads the waves' strengths, four bits each, one channel after another. */
function waveReader(hash: Uint8Array, start: number) {
  let index = 0;
  return (mean: number, columns: number, rows: number, scale: number): Channel => {
    const waves: number[] = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = row ? 0 : 1; column * rows < columns * (rows - row); column += 1) {
        const pair = hash[start + (index >> 1)] ?? 0;
        waves.push((((pair >> ((index & 1) << 2)) & 15) / 7.5 - 1) * scale);
        index += 1;
      }
    }
    return { mean, columns, rows, waves };
  };
}

/** Cosines of `count` waves at each of `size` pixels. */
function cosines(size: number, count: number): Float32Array {
  const table = new Float32Array(size * count);
  for (let pixel = 0; pixel < size; pixel += 1) {
    for (let wave = 0; wave < count; wave += 1) {
      table[pixel * count + wave] = Math.cos((Math.PI / size) * (pixel + 0.5) * wave);
    }
  }
  return table;
}

/** The channel's value at each pixel: the waves of a row are summed once, not per pixel. */
function spread(
  { mean, columns, rows, waves }: Channel,
  width: number,
  height: number,
): Float32Array {
  const across = cosines(width, columns);
  const down = cosines(height, rows);
  const values = new Float32Array(width * height);
  const sums = new Float32Array(columns);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    let index = 0;
    for (let row = 0; row < rows; row += 1) {
      const factor = (down[y * rows + row] ?? 0) * 2;
      for (let column = row ? 0 : 1; column * rows < columns * (rows - row); column += 1) {
        sums[column] = (sums[column] ?? 0) + (waves[index] ?? 0) * factor;
        index += 1;
      }
    }
    for (let x = 0; x < width; x += 1) {
      let value = mean;
      for (let column = 0; column < columns; column += 1) {
        value += (sums[column] ?? 0) * (across[x * columns + column] ?? 0);
      }
      values[y * width + x] = value;
    }
  }
  return values;
}

/**
 * Decode a ThumbHash (Evan Wallace's public format): a brightness and two colour differences, each
 * as a few cosine waves. Its transparency is left out: a placeholder fills its box.
 *
 * @param hash - Some 20 bytes; missing ones count as 0.
 */
export function decodeThumbHash(hash: Uint8Array): Pixels {
  const byte = (index: number) => hash[index] ?? 0;
  const head = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const tail = byte(3) | (byte(4) << 8);
  const hasAlpha = head >> 23 === 1;
  const isLandscape = tail >> 15 === 1;
  const most = hasAlpha ? 5 : 7;
  const columns = Math.max(3, isLandscape ? most : tail & 7);
  const rows = Math.max(3, isLandscape ? tail & 7 : most);
  const width = Math.round(columns > rows ? LONGER_SIDE : (LONGER_SIDE * columns) / rows);
  const height = Math.round(columns > rows ? (LONGER_SIDE * rows) / columns : LONGER_SIDE);

  const channel = waveReader(hash, hasAlpha ? 6 : 5);
  const means = [head & 63, (head >> 6) & 63, (head >> 12) & 63] as const;
  const light = spread(
    channel(means[0] / 63, columns, rows, ((head >> 18) & 31) / 31),
    width,
    height,
  );
  const yellowBlue = spread(
    channel(means[1] / 31.5 - 1, 3, 3, (((tail >> 3) & 63) / 63) * 1.25),
    width,
    height,
  );
  const redGreen = spread(
    channel(means[2] / 31.5 - 1, 3, 3, (((tail >> 9) & 63) / 63) * 1.25),
    width,
    height,
  );
  const bgr = new Uint8ClampedArray(width * height * 3);
  for (const [pixel, lightness] of light.entries()) {
    const difference = redGreen[pixel] ?? 0;
    const blue = lightness - (2 / 3) * (yellowBlue[pixel] ?? 0);
    const red = (3 * lightness - blue + difference) / 2;
    bgr.set([blue * 255, (red - difference) * 255, red * 255], pixel * 3);
  }
  return { width, height, bgr };
}
