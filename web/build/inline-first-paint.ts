import { readFile } from "node:fs/promises";
import { join } from "node:path";

const STYLE = /<link rel="stylesheet" crossorigin href="([^"]+)">/g;
const SCRIPT = /<script src="([^"]+)"><\/script>/g;

/**
 * Inlines what the first paint waits for into the document: on a slow network every extra request
 * costs a round trip. The server allows exactly these texts by their hash.
 *
 * @param document - The built document.
 * @param folder - Where its files are.
 */
export async function inlineFirstPaint(document: string, folder: string): Promise<string> {
  const files = new Map<string, string>();
  for (const [, address = ""] of [...document.matchAll(STYLE), ...document.matchAll(SCRIPT)]) {
    const text = await readFile(join(folder, address), "utf8");
    if (/<\/(style|script)/i.test(text)) throw new Error(`${address} would end its element early`);
    files.set(address, text.trim());
  }
  const links: string[] = [];
  const inlined = document
    .replace(SCRIPT, (_, address: string) => `<script>${files.get(address)}</script>`)
    .replace(STYLE, (_, address: string) => {
      // Code that is loaded later finds its styles by these links; a disabled one is not fetched.
      links.push(`<link rel="stylesheet" disabled href="${address}">`);
      return `<style>${files.get(address)}</style>`;
    });
  return inlined.replace("</head>", () => `${links.join("")}</head>`);
}
