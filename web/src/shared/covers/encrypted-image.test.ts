import { gcm } from "@noble/ciphers/aes.js";
import { describe, expect, it } from "vitest";
import { decryptImage, keyOf, mediaTypeOf, parseEncrypted } from "./encrypted-image.ts";

const KEYS = { "7": btoa("0123456789abcdef") };
const PICTURE = new TextEncoder().encode("<svg/>, the smallest picture");

/**
 * Seals with the pure implementation, so that each of the two ciphers is checked against the other.
 */
function seal(plain: Uint8Array, keyId = 7): Uint8Array<ArrayBuffer> {
  const header = Uint8Array.of(0x43, 0x56, 1, 1, keyId);
  const nonce = new Uint8Array(12).fill(9);
  const cipher = gcm(keyOf(KEYS, "7"), nonce, header).encrypt(plain);
  return Uint8Array.from([...header, ...nonce, ...cipher]);
}

const changed = (bytes: Uint8Array, index: number) =>
  bytes.map((byte, place) => (place === index ? byte ^ 1 : byte));

describe("an encrypted image", () => {
  it("is opened with the key that it names", async () => {
    expect(await decryptImage(seal(PICTURE), KEYS)).toEqual(PICTURE);
  });

  it.each([4, 5, 17, 30])("is refused when its byte %d was changed", async (index) => {
    await expect(
      decryptImage(changed(seal(PICTURE), index), { ...KEYS, "6": KEYS["7"] }),
    ).rejects.toThrow();
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["a plain picture", new TextEncoder().encode("GIF89a and a good deal more than a header")],
    ["another version", changed(seal(PICTURE), 2)],
    ["another algorithm", changed(seal(PICTURE), 3)],
  ])("is not %s", (_, bytes) => {
    expect(() => parseEncrypted(Uint8Array.from(bytes))).toThrow("not an encrypted image");
  });

  it("is refused without its key", async () => {
    await expect(decryptImage(seal(PICTURE), {})).rejects.toThrow("no key 7");
  });
});

describe("mediaTypeOf", () => {
  it.each([
    ["image/avif", "\0\0\0\u0020ftypavif"],
    ["image/jpeg", "\u00ff\u00d8\u00ff\u00e0"],
    ["image/png", "\u0089PNG\r\n"],
    ["image/webp", "RIFF1234WEBPVP8 "],
    ["image/svg+xml", "<svg xmlns="],
    ["application/octet-stream", "MZ"],
  ])("knows %s", (type, text) => {
    expect(mediaTypeOf(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBe(type);
  });
});
