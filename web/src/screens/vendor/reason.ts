/** Longest reason that is shown, in characters (docs/security.md#t11). */
const MAX_CHARACTERS = 100;

/**
 * The reason of an address as one line of plain text, cut; whoever wrote the link may have written
 * anything.
 */
export function reasonOf(text: string | null): string {
  const line = (text ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return Array.from(line).slice(0, MAX_CHARACTERS).join("");
}
