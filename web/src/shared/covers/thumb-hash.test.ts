import { describe, expect, it } from "vitest";
import { decodeThumbHash } from "./thumb-hash.ts";

interface Parts {
  /** Brightness and the two colour differences, as the format stores them: 0 to 63. */
  readonly means: readonly [light: number, yellowBlue: number, redGreen: number];
  /** Strength of the brightness waves, 0 to 31. */
  readonly scale?: number;
  readonly isLandscape?: boolean;
  /** Waves along the shorter side, 1 to 7. */
  readonly shorter?: number;
  /** The waves, one byte for two. */
  readonly waves?: readonly number[];
}

function hashOf({
  means: [light, yellowBlue, redGreen],
  scale = 0,
  isLandscape = true,
  shorter = 4,
  waves = [],
}: Parts) {
  const head = light | (yellowBlue << 6) | (redGreen << 12) | (scale << 18);
  const tail = shorter | (isLandscape ? 1 << 15 : 0);
  return Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16, tail & 255, tail >> 8, ...waves);
}

const pixel = (hash: Uint8Array, x: number, y: number) => {
  const { width, rgba } = decodeThumbHash(hash);
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
};

describe("decodeThumbHash", () => {
  it("draws one colour where there are no waves", () => {
    const grey = pixel(hashOf({ means: [32, 32, 32] }), 5, 5);
    for (const part of grey.slice(0, 3)) expect(Math.abs(part - 130)).toBeLessThan(8);
    expect(grey[3]).toBe(255);
    const blue = pixel(hashOf({ means: [21, 0, 32] }), 5, 5);
    expect(blue[2]).toBeGreaterThan(200);
    expect(blue[0]).toBeLessThan(50);
  });

  it("has the picture's rough proportions", () => {
    expect(decodeThumbHash(hashOf({ means: [1, 1, 1] }))).toMatchObject({ width: 24, height: 14 });
    expect(decodeThumbHash(hashOf({ means: [1, 1, 1], isLandscape: false }))).toMatchObject({ width: 14, height: 24 });
  });

  it("follows the first wave from left to right", () => {
    // 0xF in the first place: the lowest wave across at full strength; 8 is nearly none.
    const hash = hashOf({ means: [32, 32, 32], scale: 31, waves: [0x8f, ...Array.from({ length: 14 }, () => 0x88)] });
    const [left, right] = [pixel(hash, 0, 6)[0] ?? 0, pixel(hash, 23, 6)[0] ?? 0];
    expect(left - right).toBeGreaterThan(150);
  });

  it("draws something of fixed size for a hash that is cut off", () => {
    expect(decodeThumbHash(new Uint8Array()).rgba.length % 4).toBe(0);
  });
});
