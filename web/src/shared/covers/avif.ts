// One grey pixel.
const SAMPLE =
  "data:image/avif;base64,AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAHwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAAQAAAAEAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAJ21kYXQSAAoIGAAGiAhoNCAyERlHh4Yhh5555oJAAJBAyRwk";

let support: Promise<boolean> | undefined;
let answer: boolean | null = null;

/** Whether the browser draws AVIF; asked once. */
export function supportsAvif(): Promise<boolean> {
  support ??= new Promise((resolve) => {
    const image = new Image();
    const settle = (isSupported: boolean) => {
      answer = isSupported;
      resolve(isSupported);
    };
    image.addEventListener("load", () => settle(image.width > 0));
    image.addEventListener("error", () => settle(false));
    image.src = SAMPLE;
  });
  return support;
}

/** The same without waiting; null while it is not known. */
export function knownAvifSupport(): boolean | null {
  return answer;
}
