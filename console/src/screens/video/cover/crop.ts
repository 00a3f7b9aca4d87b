/** A part of a picture, in shares of its width and height from its upper left corner. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How a picture is cut: enlarged, and which part of what then hangs over (0 to 1, each way). */
export interface Cut {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export const WHOLE_CUT: Cut = { zoom: 1, x: 0.5, y: 0.5 };
export const LARGEST_ZOOM = 4;

/**
 * The part that a frame of some ratio shows.
 *
 * @param picture - width by height of the picture.
 * @param frame - width by height of the frame.
 */
export function cropOf(cut: Cut, picture: number, frame: number): Crop {
  const width = Math.min(1, frame / picture) / cut.zoom;
  const height = Math.min(1, picture / frame) / cut.zoom;
  return { left: cut.x * (1 - width), top: cut.y * (1 - height), width, height };
}

/**
 * The cut after the picture was dragged in its frame.
 *
 * @param right - by how many widths of the frame.
 * @param down - by how many heights of the frame.
 */
export function dragged(cut: Cut, crop: Crop, right: number, down: number): Cut {
  return {
    zoom: cut.zoom,
    x: moved(cut.x, crop.width, right),
    y: moved(cut.y, crop.height, down),
  };
}

function moved(place: number, shown: number, by: number): number {
  const free = 1 - shown;
  return free < 1e-6 ? place : Math.min(1, Math.max(0, place - (by * shown) / free));
}
