/**
 * A picture of the storyboard: from when to when it stands for the video (seconds), and where it
 * lies on its sheet.
 */
export interface StoryboardPicture {
  readonly start: number;
  readonly end: number;
  readonly sheet: string;
  /** Pixels on the sheet. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const TIMES = /^((?:\d+:)?\d{2}:\d{2}\.\d{3})\s+-->\s+((?:\d+:)?\d{2}:\d{2}\.\d{3})/;
const AREA = /#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/;

/**
 * Reads a storyboard: WebVTT whose cues are addresses with `#xywh=` (Media Fragments). What is not
 * such a cue is left out.
 *
 * @param base - the address that the document came from: sheets are named relative to it.
 */
export function parseStoryboard(text: string, base: string): readonly StoryboardPicture[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.trim().split(/\r?\n/);
    const at = lines.findIndex((line) => TIMES.test(line));
    const [, start, end] = TIMES.exec(lines[at] ?? "") ?? [];
    const address = lines[at + 1]?.trim() ?? "";
    const [x, y, width, height] = (AREA.exec(address)?.slice(1) ?? []).map(Number);
    if (!start || !end || x === undefined || y === undefined || !width || !height) return [];
    const sheet = new URL(address.replace(/#.*$/, ""), base).href;
    return [{ start: secondsOf(start), end: secondsOf(end), sheet, x, y, width, height }];
  });
}

/** The picture that stands for `time`, in seconds; the nearest earlier one where cues have gaps. */
export function pictureAt(
  pictures: readonly StoryboardPicture[],
  time: number,
): StoryboardPicture | null {
  return pictures.findLast(({ start }) => start <= time) ?? pictures[0] ?? null;
}

function secondsOf(clock: string): number {
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

const known = new Map<string, Promise<readonly StoryboardPicture[]>>();
/** Number of cached documents; a visitor goes back and forth between a few videos. */
const KNOWN_CAP = 8;

/** Fetches a storyboard, once. A failure is logged only and leaves the bubble without a picture. */
export function fetchStoryboard(address: string): Promise<readonly StoryboardPicture[]> {
  const before = known.get(address);
  if (before) return before;
  const answer = ask(address).catch((error: unknown) => {
    console.info("预览图加载失败", error);
    known.delete(address);
    return [];
  });
  known.set(address, answer);
  const [oldest] = known.keys();
  if (known.size > KNOWN_CAP && oldest !== undefined) known.delete(oldest);
  return answer;
}

async function ask(address: string): Promise<readonly StoryboardPicture[]> {
  const base = new URL(address, location.href).href;
  const answer = await fetch(base);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return parseStoryboard(await answer.text(), base);
}
