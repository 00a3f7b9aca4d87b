import DOMPurify from "dompurify";
import { plainMarkup } from "./plain-markup.ts";

const TAGS = [
  "a",
  "b",
  "blockquote",
  "br",
  "code",
  "em",
  "h3",
  "h4",
  "hr",
  "i",
  "li",
  "ol",
  "p",
  "s",
  "strong",
  "u",
  "ul",
];

/**
 * Sanitize the operator's HTML for display (docs/security.md#t6): text markup and http(s) links
 * only, no styles, forms, pictures or drawings. The server already sanitized it when it was
 * written; this is the second wall.
 *
 * @returns A fragment, so that nothing is parsed again after the cleaning.
 */
export function cleanHtml(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(plainMarkup(html, TAGS), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href"],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) {
    // Its address was removed: text that leads nowhere does not look like a link.
    if (!link.getAttribute("href")) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  return fragment;
}
