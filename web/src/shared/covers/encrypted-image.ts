/**
 * The encrypted image (docs/product.md#covers): `"CV"`, version 1, algorithm 1 (AES-128-GCM), key
 * id, 12-byte nonce, ciphertext with its 16-byte tag. The five bytes before the nonce are
 * authenticated too. It hides pictures from casual inspection; it is no DRM.
 */
const MAGIC = [0x43, 0x56] as const;
const VERSION = 1;
const AES_128_GCM = 1;
const NONCE_START = 5;
const CIPHER_START = 17;
const TAG_LENGTH = 16;

/** The parts of an encrypted image; views into the same memory. */
export interface EncryptedParts {
  readonly keyId: string;
  /** Authenticated, not encrypted. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** Ciphertext and tag. */
  readonly cipher: Uint8Array<ArrayBuffer>;
}

/**
 * Cut an encrypted image into its parts.
 *
 * @throws Error when it is not one, or of a version that this page does not know.
 */
export function parseEncrypted(bytes: Uint8Array<ArrayBuffer>): EncryptedParts {
  const isEncrypted =
    bytes.length > CIPHER_START + TAG_LENGTH && bytes[0] === MAGIC[0] && bytes[1] === MAGIC[1];
  if (!isEncrypted || bytes[2] !== VERSION || bytes[3] !== AES_128_GCM)
    throw new Error("not an encrypted image");
  return {
    keyId: String(bytes[4]),
    header: bytes.subarray(0, NONCE_START),
    nonce: bytes.subarray(NONCE_START, CIPHER_START),
    cipher: bytes.subarray(CIPHER_START),
  };
}

/** The key of an encrypted image. */
export function keyOf(
  keys: Readonly<Record<string, string>>,
  keyId: string,
): Uint8Array<ArrayBuffer> {
  const text = keys[keyId];
  if (text === undefined) throw new Error(`no key ${keyId}`);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const SIGNATURES: readonly (readonly [type: string, offset: number, text: string])[] = [
  ["image/avif", 4, "ftypavi"],
  ["image/jpeg", 0, "\u00ff\u00d8\u00ff"],
  ["image/png", 1, "PNG"],
  ["image/webp", 8, "WEBP"],
  ["image/svg+xml", 0, "<"],
];

/** The media type shown by the picture's first bytes; an encrypted object has no other. */
export function mediaTypeOf(picture: Uint8Array): string {
  const head = String.fromCharCode(...picture.subarray(0, 16));
  return (
    SIGNATURES.find(([, offset, text]) => head.startsWith(text, offset))?.[0] ??
    "application/octet-stream"
  );
}

/**
 * Decrypt an image with the browser's own cipher, which runs off the page's thread.
 *
 * @throws Error when it is damaged, forged or its key is unknown.
 */
export async function decryptImage(
  bytes: Uint8Array<ArrayBuffer>,
  keys: Readonly<Record<string, string>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { keyId, header, nonce, cipher } = parseEncrypted(bytes);
  const key = await crypto.subtle.importKey("raw", keyOf(keys, keyId), "AES-GCM", false, [
    "decrypt",
  ]);
  return new Uint8Array(
    await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: nonce, additionalData: header },
      key,
      cipher,
    ),
  );
}
