import { describe, expect, it, vi } from "vitest";
import { thumbAddress } from "./thumb.ts";
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
  const { width, bgr } = decodeThumbHash(hash);
  return [...bgr.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
};

describe("decodeThumbHash", () => {
  it("draws one colour where there are no waves", () => {
    const grey = pixel(hashOf({ means: [32, 32, 32] }), 5, 5);
    for (const part of grey) expect(Math.abs(part - 130)).toBeLessThan(8);
    const [blue, , red] = pixel(hashOf({ means: [21, 0, 32] }), 5, 5);
    expect(blue).toBeGreaterThan(200);
    expect(red).toBeLessThan(50);
  });

  it("has the picture's rough proportions", () => {
    expect(decodeThumbHash(hashOf({ means: [1, 1, 1] }))).toMatchObject({ width: 24, height: 14 });
    expect(decodeThumbHash(hashOf({ means: [1, 1, 1], isLandscape: false }))).toMatchObject({
      width: 14,
      height: 24,
    });
  });

  it("follows the first wave from left to right", () => {
    // 0xF in the first place: the lowest wave across at full strength; 8 is nearly none.
    const hash = hashOf({
      means: [32, 32, 32],
      scale: 31,
      waves: [0x8f, ...Array.from({ length: 14 }, () => 0x88)],
    });
    const [left, right] = [pixel(hash, 0, 6)[0] ?? 0, pixel(hash, 23, 6)[0] ?? 0];
    expect(left - right).toBeGreaterThan(150);
  });

  it("draws something of fixed size for a hash that is cut off", () => {
    expect(decodeThumbHash(new Uint8Array()).bgr).toHaveLength(10 * 24 * 3);
  });
});

describe("thumbAddress", () => {
  it("is a bitmap of the right length whose first row is the picture's last", () => {
    const hash = hashOf({ means: [32, 32, 32] });
    const address = thumbAddress(btoa(String.fromCharCode(...hash))) ?? "";
    const bytes = Uint8Array.from(atob(address.replace("data:image/bmp;base64,", "")), (text) =>
      text.charCodeAt(0),
    );
    const view = new DataView(bytes.buffer);
    expect([view.getUint16(0, true), view.getUint32(2, true)]).toEqual([0x4d42, bytes.length]);
    expect([view.getInt32(18, true), view.getInt32(22, true)]).toEqual([24, 14]);
    expect(bytes).toHaveLength(54 + 24 * 14 * 3);
    expect([...bytes.subarray(54, 57)]).toEqual(pixel(hash, 0, 13));
  });

  it("is nothing for a broken hash", () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(thumbAddress("***")).toBeNull();
    expect(warned).toHaveBeenCalledOnce();
    warned.mockClear();
  });
});
