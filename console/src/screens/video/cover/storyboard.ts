/** A small picture of the film: since when it stands for it (seconds), and where it lies. */
export interface Small {
  readonly start: number;
  readonly sheet: string;
  /** Pixels on the sheet. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const TIMES = /^((?:\d+:)?\d{2}:\d{2}\.\d{3})\s+-->/;
const AREA = /^(.+)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/;

/**
 * Reads a storyboard: WebVTT whose cues are addresses with `#xywh=` (W3C Media Fragments). What is
 * not such a cue is left out.
 *
 * @param base - the address that the document came from.
 */
export function smallPictures(text: string, base: string): readonly Small[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.trim().split(/\r?\n/);
    const at = lines.findIndex((line) => TIMES.test(line));
    const start = TIMES.exec(lines[at] ?? "")?.[1];
    const [, sheet, ...area] = AREA.exec(lines[at + 1]?.trim() ?? "") ?? [];
    const [x, y, width, height] = area.map(Number);
    if (!start || !sheet || x === undefined || y === undefined || !width || !height) return [];
    const address = new URL(sheet, base).href;
    return [{ start: secondsOf(start), sheet: address, x, y, width, height }];
  });
}

/** At most so many of them, evenly spread. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, place) => {
    return all[Math.floor((place * all.length) / most)] as T;
  });
}

function secondsOf(clock: string): number {
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
