import { QUIET_ZONE } from "@/shared/qr/qr-modules.ts";

/** A box on the poster, in its pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The layout of a share poster, in pixels. */
export interface PosterLayout {
  readonly width: number;
  readonly height: number;
  readonly cover: Box;
  /** Baselines of the title's lines. */
  readonly lines: readonly number[];
  /**
   * The code with its quiet zone; its modules are {@link PosterLayout.moduleSize} wide.
   */
  readonly code: Box;
  readonly moduleSize: number;
}

export const POSTER_WIDTH = 750;
export const MARGIN = 40;
export const TITLE_SIZE = 38;
export const TITLE_LINES = 2;
const TITLE_LEADING = 54;
const COVER_RATIO = 750 / 422;
const GAP = 32;
/** Maximum size of the code; a module with a fractional number of pixels would be blurred. */
const CODE_WIDTH = 320;

/**
 * @param lines - Lines of the title.
 * @param modules - Modules of the code on a side, without the quiet zone.
 */
export function posterLayout(lines: number, modules: number): PosterLayout {
  const inner = POSTER_WIDTH - 2 * MARGIN;
  const cover = { x: MARGIN, y: MARGIN, width: inner, height: Math.round(inner / COVER_RATIO) };
  const titleTop = cover.y + cover.height + GAP;
  const total = modules + 2 * QUIET_ZONE;
  const moduleSize = Math.max(1, Math.floor(CODE_WIDTH / total));
  const side = total * moduleSize;
  const code = {
    x: POSTER_WIDTH - MARGIN - side,
    y: titleTop + lines * TITLE_LEADING + GAP,
    width: side,
    height: side,
  };
  return {
    width: POSTER_WIDTH,
    height: code.y + side + MARGIN,
    cover,
    lines: Array.from({ length: lines }, (_, line) => titleTop + line * TITLE_LEADING + TITLE_SIZE),
    code,
    moduleSize,
  };
}

/** The central part of a picture that fills a box of another shape. */
export function filling(
  picture: { readonly width: number; readonly height: number },
  box: Box,
): Box {
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const [width, height] = [box.width / scale, box.height / scale];
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height };
}

/**
 * A title in at most {@link TITLE_LINES} lines, cut with an ellipsis.
 *
 * @param widthOf - Width of a text as it will be drawn.
 */
export function titleLines(
  title: string,
  most: number,
  widthOf: (text: string) => number,
): readonly string[] {
  // A character made of several code points, such as an emoji, is not cut.
  let left = Array.from(new Intl.Segmenter("zh").segment(title), ({ segment }) => segment);
  const lines: string[] = [];
  while (left.length > 0 && lines.length < TITLE_LINES) {
    let line = "";
    let count = 0;
    while (count < left.length && widthOf(line + left[count]) <= most) {
      line += left[count];
      count += 1;
    }
    if (count === 0) break;
    left = left.slice(count);
    lines.push(line.trim());
  }
  if (left.length > 0 && lines.length > 0) {
    const last = Array.from(lines.at(-1) ?? "");
    while (last.length > 0 && widthOf(`${last.join("")}…`) > most) last.pop();
    lines[lines.length - 1] = `${last.join("")}…`;
  }
  return lines;
}
