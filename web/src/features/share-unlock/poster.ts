import type { Picture } from "@/shared/api/model.ts";
import { siteIdentity } from "@/shared/config/site.ts";
import { supportsAvif } from "@/shared/covers/avif.ts";
import { openedCovers, sealedAddress } from "@/shared/covers/cover-store.ts";
import { thumbAddress } from "@/shared/covers/thumb.ts";
import { QUIET_ZONE, qrModules } from "@/shared/qr/qr-modules.ts";
import {
  type Box,
  filling,
  MARGIN,
  type PosterLayout,
  posterLayout,
  TITLE_SIZE,
  titleLines,
} from "./poster-layout.ts";

const CORNER = 16;
const EMBLEM = "/icons/emblem.svg";
const EMBLEM_SIZE = 56;

/** What a poster shows. */
export interface PosterContent {
  readonly title: string;
  readonly cover: Picture;
  /** Full address that the code holds. */
  readonly link: string;
}

/**
 * The share poster: cover, title, the link's QR code and the site's name.
 *
 * The picture is decrypted on the page into a blob, so that the canvas stays readable. If it cannot
 * be loaded, its colours stand in.
 *
 * @returns A PNG.
 * @throws Error where the browser refuses to draw.
 */
export async function drawPoster({ title, cover, link }: PosterContent): Promise<Blob> {
  const [picture, emblem] = await Promise.all([
    coverPicture(cover),
    loadImage(siteIdentity().icon || EMBLEM).catch(() => null),
  ]);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  const ink = inks();
  pen.font = ink.font(600, TITLE_SIZE);
  const modules = qrModules(link);
  const words = titleLines(
    title,
    posterLayout(0, modules.length).cover.width,
    (text) => pen.measureText(text).width,
  );
  const layout = posterLayout(words.length, modules.length);
  // Setting the size forgets the pen's settings.
  Object.assign(canvas, { width: layout.width, height: layout.height });
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, layout.width, layout.height);
  drawCover(pen, layout.cover, picture, ink);
  pen.fillStyle = ink.text;
  pen.font = ink.font(600, TITLE_SIZE);
  words.forEach((line, index) => pen.fillText(line, MARGIN, layout.lines[index] ?? 0));
  drawWords(pen, layout, emblem, ink);
  drawCode(pen, layout, modules, ink);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

type Pen = CanvasRenderingContext2D;
type Inks = ReturnType<typeof inks>;

/** The poster is light in both themes: not every reader reads light codes on dark paper. */
function inks() {
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const family = token("--font");
  return {
    paper: token("--on-cover"),
    text: token("--on-white"),
    accent: token("--accent-solid"),
    empty: token("--placeholder"),
    font: (weight: number, size: number) => `${weight} ${size}px ${family}`,
  };
}

function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  return image.decode().then(() => image);
}

async function coverPicture(cover: Picture): Promise<HTMLImageElement | null> {
  const address = sealedAddress(cover, await supportsAvif());
  try {
    return await loadImage(await openedCovers.acquire(address));
  } catch (error) {
    console.info(error);
    const thumb = cover.thumb ? thumbAddress(cover.thumb) : null;
    return thumb ? await loadImage(thumb).catch(() => null) : null;
  } finally {
    openedCovers.release(address);
  }
}

function drawCover(pen: Pen, box: Box, picture: HTMLImageElement | null, ink: Inks): void {
  pen.save();
  pen.beginPath();
  roundedBox(pen, box, CORNER);
  pen.clip();
  pen.fillStyle = ink.empty;
  pen.fillRect(box.x, box.y, box.width, box.height);
  if (picture) {
    const part = filling({ width: picture.naturalWidth, height: picture.naturalHeight }, box);
    pen.drawImage(
      picture,
      part.x,
      part.y,
      part.width,
      part.height,
      box.x,
      box.y,
      box.width,
      box.height,
    );
  }
  pen.restore();
}

/** `roundRect` is too new for in-app browsers. */
function roundedBox(pen: Pen, { x, y, width, height }: Box, radius: number): void {
  pen.moveTo(x + radius, y);
  pen.arcTo(x + width, y, x + width, y + height, radius);
  pen.arcTo(x + width, y + height, x, y + height, radius);
  pen.arcTo(x, y + height, x, y, radius);
  pen.arcTo(x, y, x + width, y, radius);
  pen.closePath();
}

/** What to do, and whose it is, to the left of the code. */
function drawWords(
  pen: Pen,
  { code }: PosterLayout,
  emblem: HTMLImageElement | null,
  ink: Inks,
): void {
  const site = siteIdentity();
  const [top, bottom] = [code.y, code.y + code.height];
  pen.fillStyle = ink.text;
  pen.font = ink.font(600, 30);
  pen.fillText("扫码打开这个视频", MARGIN, top + 66);
  pen.globalAlpha = 0.64;
  pen.font = ink.font(400, 26);
  pen.fillText("你打开，就帮我解锁一次", MARGIN, top + 112);
  pen.globalAlpha = 1;
  const start = emblem ? MARGIN + EMBLEM_SIZE + 16 : MARGIN;
  if (emblem) pen.drawImage(emblem, MARGIN, bottom - EMBLEM_SIZE - 24, EMBLEM_SIZE, EMBLEM_SIZE);
  pen.fillStyle = ink.accent;
  pen.font = ink.font(600, 30);
  pen.fillText(site.name, start, bottom - 56);
  pen.fillStyle = ink.text;
  pen.globalAlpha = 0.64;
  pen.font = ink.font(400, 22);
  pen.fillText(site.slogan, start, bottom - 26);
  pen.globalAlpha = 1;
}

function drawCode(
  pen: Pen,
  { code, moduleSize }: PosterLayout,
  modules: readonly (readonly boolean[])[],
  ink: Inks,
): void {
  pen.fillStyle = ink.text;
  modules.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (!isDark) return;
      const [left, top] = [x, y].map((place) => (place + QUIET_ZONE) * moduleSize) as [
        number,
        number,
      ];
      pen.fillRect(code.x + left, code.y + top, moduleSize, moduleSize);
    });
  });
}
