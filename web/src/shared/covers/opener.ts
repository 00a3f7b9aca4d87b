import type { OpenAnswer, OpenRequest } from "./open.worker.ts";
import { openSealed } from "./sealed.ts";

type Keys = Readonly<Record<string, string>>;

/** Opens sealed bytes; rejects what is damaged. */
export type Opener = (sealed: ArrayBuffer, keys: Keys) => Promise<Uint8Array<ArrayBuffer>>;

/** The browser's cipher where the page is secure, else a worker with a cipher in JavaScript. */
export function createOpener(): Opener {
  if (globalThis.crypto?.subtle) return (sealed, keys) => openSealed(new Uint8Array(sealed), keys);
  return createWorkerOpener();
}

function createWorkerOpener(): Opener {
  let worker: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, (picture: ArrayBuffer | null) => void>();
  const start = () => {
    const started = new Worker(new URL("./open.worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<OpenAnswer>) => {
      waiting.get(data.id)?.(data.picture);
      waiting.delete(data.id);
    });
    started.addEventListener("error", () => {
      for (const settle of waiting.values()) settle(null);
      waiting.clear();
    });
    return started;
  };
  return async (sealed, keys) => {
    worker ??= start();
    last += 1;
    const request: OpenRequest = { id: last, sealed, keys };
    const answered = new Promise<ArrayBuffer | null>((resolve) => waiting.set(request.id, resolve));
    worker.postMessage(request, [sealed]);
    const picture = await answered;
    if (!picture) throw new Error("a picture could not be opened");
    return new Uint8Array(picture);
  };
}
