import { UUID, VUID } from "./entries.ts";
import { read, write } from "./registry.ts";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const CODE_LENGTH = 12;
const SUFFIX = "cm";
const RANDOM_BYTES = 12;

/** A new data code: 12 characters of `[0-9a-z]`, each equally likely (docs/product.md#identity). */
export function createCode(): string {
  // 252 is the largest multiple of 36 in a byte: larger values are drawn again, or the first digits
  // would be more likely.
  const limit = 256 - (256 % ALPHABET.length);
  let code = "";
  while (code.length < CODE_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(CODE_LENGTH))) {
      if (byte < limit && code.length < CODE_LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** The visitor's data code, made on the first visit. */
export function visitorCode(): string {
  return read(UUID) || keep(UUID, createCode());
}

/**
 * Join a random part with `cm` and encode it as base64url (specification §1). It authorises
 * nothing.
 */
export function encodeVisitorId(random: string): string {
  return btoa(random + SUFFIX)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * The random part of a visitor id.
 *
 * @returns Null when the text is no visitor id.
 */
export function decodeVisitorId(vuid: string): string | null {
  try {
    const text = atob(vuid.replaceAll("-", "+").replaceAll("_", "/"));
    return text.endsWith(SUFFIX) ? text.slice(0, -SUFFIX.length) : null;
  } catch {
    return null;
  }
}

/** The public visitor id, made on the first visit. */
export function visitorId(): string {
  const stored = read(VUID);
  if (stored && decodeVisitorId(stored) !== null) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return keep(VUID, encodeVisitorId(random));
}

function keep(entry: typeof UUID, value: string): string {
  write(entry, value);
  return value;
}
