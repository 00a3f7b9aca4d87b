import { decryptImage } from "./encrypted-image.ts";
import type { OpenAnswer, OpenRequest } from "./open.worker.ts";

type Keys = Readonly<Record<string, string>>;

/** Decrypts bytes; rejects damaged ones. */
export type Opener = (encrypted: ArrayBuffer, keys: Keys) => Promise<Uint8Array<ArrayBuffer>>;

/** The browser's cipher where the page is secure, else a worker with a cipher in JavaScript. */
export function createOpener(): Opener {
  if (globalThis.crypto?.subtle)
    return (encrypted, keys) => decryptImage(new Uint8Array(encrypted), keys);
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
  return async (encrypted, keys) => {
    worker ??= start();
    last += 1;
    const request: OpenRequest = { id: last, encrypted, keys };
    const answered = new Promise<ArrayBuffer | null>((resolve) => waiting.set(request.id, resolve));
    worker.postMessage(request, [encrypted]);
    const picture = await answered;
    if (!picture) throw new Error("a picture could not be opened");
    return new Uint8Array(picture);
  };
}
