import "./hover-preview.css";
import { fetchPlayInfoAhead } from "@/player/play-info.ts";
import { fetchStoryboard, type StoryboardPicture } from "@/player/storyboard.ts";
import { choosePictures } from "./choose-pictures.ts";

/** How long the pointer must rest on a tile before anything is requested, in milliseconds. */
const REST_MS = 350;
/** How long one picture is shown, in milliseconds. */
const PICTURE_MS = 600;

/**
 * Shows what a video is like while a mouse rests on its tile, using the storyboard. Tiles do not
 * know about it; a tile without a storyboard (a locked or very short video) stays as it is.
 */
export function watchHoverPreview(): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  let tile: HTMLAnchorElement | null = null;
  let stop = new AbortController();
  const turnTo = (next: HTMLAnchorElement | null) => {
    if (next === tile) return;
    stop.abort();
    stop = new AbortController();
    tile = next;
    const id = next && !isCalm.matches ? videoOf(next) : null;
    if (next && id !== null) void preview(next, id, stop.signal);
  };
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    turnTo(
      pointerType === "mouse" && target instanceof Element
        ? target.closest<HTMLAnchorElement>("a.tile")
        : null,
    );
  });
  document.documentElement.addEventListener("pointerleave", () => turnTo(null));
  document.addEventListener("pointerdown", () => stop.abort());
}

/** The video that a tile leads to; null where it leads elsewhere. */
function videoOf({ pathname, search }: HTMLAnchorElement): number | null {
  const id = Number(new URLSearchParams(search).get("id"));
  return pathname === "/playVideo" && id > 0 ? id : null;
}

async function preview(tile: HTMLAnchorElement, id: number, signal: AbortSignal): Promise<void> {
  await pause(REST_MS, signal);
  const cover = tile.querySelector<HTMLElement>(".cover");
  if (signal.aborted || !cover) return;
  const pictures = choosePictures(await picturesOf(id));
  if (signal.aborted || pictures.length < 2) return;
  const box = document.createElement("span");
  box.className = "hover-preview";
  box.ariaHidden = "true";
  const bar = box.appendChild(document.createElement("i"));
  signal.addEventListener("abort", () => box.remove());
  for (let index = 0; !signal.aborted; index = (index + 1) % pictures.length) {
    const picture = pictures[index] as StoryboardPicture;
    const sheet = await load(picture.sheet);
    if (!sheet || signal.aborted) return box.remove();
    // Below what lies on the cover: views and running time stay readable.
    if (!box.isConnected) cover.querySelector(":scope > img")?.after(box);
    draw(box, picture, sheet);
    bar.style.scale = `${(index + 1) / pictures.length} 1`;
    await pause(PICTURE_MS, signal);
  }
}

async function picturesOf(id: number): Promise<readonly StoryboardPicture[]> {
  try {
    const { storyboard } = await fetchPlayInfoAhead(id);
    return storyboard ? await fetchStoryboard(storyboard) : [];
  } catch (error) {
    console.info("预览图加载失败", error);
    return [];
  }
}

/** The decoded sheet, so that no picture flickers; null if it cannot be loaded. */
async function load(address: string): Promise<HTMLImageElement | null> {
  const sheet = new Image();
  sheet.src = address;
  return sheet.decode().then(
    () => sheet,
    () => null,
  );
}

/** Fills the box with one picture of a sheet, centred and cropped. */
function draw(
  box: HTMLElement,
  { x, y, width, height }: StoryboardPicture,
  sheet: HTMLImageElement,
): void {
  const scale = Math.max(box.offsetWidth / width, box.offsetHeight / height);
  const left = (box.offsetWidth - width * scale) / 2 - x * scale;
  const top = (box.offsetHeight - height * scale) / 2 - y * scale;
  box.style.backgroundImage = `url("${sheet.src}")`;
  box.style.backgroundSize = `${sheet.naturalWidth * scale}px ${sheet.naturalHeight * scale}px`;
  box.style.backgroundPosition = `${left}px ${top}px`;
}

/** Waits; ends at once when the pointer leaves. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
