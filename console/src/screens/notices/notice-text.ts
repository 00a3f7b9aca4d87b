const TAG = /<\/?[a-z][^>]*>/i;
const PARAGRAPH = /<p>([\s\S]*?)<\/p>/g;
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** What was typed, as HTML: paragraphs where no markup was written. */
export function markupOf(text: string): string {
  if (TAG.test(text)) return text;
  const parts = text.trim().split(/\n\s*\n/);
  return parts.map((part) => `<p>${escaped(part.trim()).replaceAll("\n", "<br>")}</p>`).join("");
}

/** HTML, to be typed again: as text where it is nothing but paragraphs. */
export function textOf(markup: string): string {
  const plain = markup
    .trim()
    .replaceAll(/<br\s*\/?>/g, "\n")
    .replaceAll(PARAGRAPH, "$1\n\n")
    .trim();
  if (TAG.test(plain)) return markup;
  const text = plain.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
  // A text that looks like markup would be read as such.
  return TAG.test(text) || text.includes("&") ? markup : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
