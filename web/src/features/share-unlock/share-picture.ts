import { saveFile } from "@/shared/save-file.ts";

/** Where a picture went: the system's share sheet, or a file. */
export type PictureResult = "shared" | "saved" | "dismissed";

/** Whether the system's share sheet takes this file. Desktop sheets are rarely useful. */
export function canShareFile(file: File): boolean {
  return (
    matchMedia("(pointer: coarse)").matches &&
    "canShare" in navigator &&
    navigator.canShare({ files: [file] })
  );
}

/**
 * Hand a picture to the system's sheet, where it can be kept and sent; otherwise save it as a file.
 */
export async function sharePicture(file: File): Promise<PictureResult> {
  if (canShareFile(file)) {
    try {
      await navigator.share({ files: [file] });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "dismissed";
      console.info(error);
    }
  }
  saveFile(file, file.name);
  return "saved";
}
