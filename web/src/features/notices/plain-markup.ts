/**
 * A comment, a declaration, a broken end tag, or a tag; quotes hide a closing sign. Each may be
 * unfinished.
 */
const PARTS =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<\/(?![a-z])[^>]*(?:>|$)|<(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)(?:>|$)/gi;
const ATTRIBUTE = /([^\s"'/=]+)(?:\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"']+)))?["']?/g;

/** Elements whose content is not readable text. */
const HIDING = new Set(
  "audio head iframe math noembed noframes noscript object plaintext script style svg template textarea title video xmp".split(
    " ",
  ),
);

function hrefOf(attributes: string): string {
  for (const [, name, double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    if (name?.toLowerCase() === "href")
      return ` href="${(double ?? single ?? bare ?? "").replaceAll('"', "&quot;")}"`;
  }
  return "";
}

function textOf(text: string): string {
  return text.replaceAll("<", "&lt;");
}

/**
 * Markup reduced to the given elements, without attributes except a link's address.
 *
 * The browser's parser has not seen it yet: Chromium reports handlers and styles as policy
 * violations while parsing, even into an inert document. The result must still be sanitized; a
 * mistake here costs words, nothing else.
 */
export function plainMarkup(html: string, tags: readonly string[]): string {
  const parts = new RegExp(PARTS);
  const lower = html.toLowerCase();
  let plain = "";
  let end = 0;
  for (let found = parts.exec(html); found; found = parts.exec(html)) {
    const [part, slash, name = "", attributes = ""] = found;
    const tag = name.toLowerCase();
    plain += textOf(html.slice(end, found.index));
    end = found.index + part.length;
    if (HIDING.has(tag) && !slash) {
      end = lower.indexOf(`</${tag}`, end);
      if (end < 0) return plain;
      parts.lastIndex = end;
    } else if (tags.includes(tag)) {
      plain += slash ? `</${tag}>` : `<${tag}${tag === "a" ? hrefOf(attributes) : ""}>`;
    }
  }
  return plain + textOf(html.slice(end));
}
