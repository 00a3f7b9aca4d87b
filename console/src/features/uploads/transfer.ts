import type { Film } from "@/features/uploads/films.ts";
import type { Upload, UploadDetails } from "@/shared/api/types.ts";

/** `held`: nobody answers or is logged in; it goes on by itself. `broken`: its own fault. */
export type TransferState = "waiting" | "sending" | "paused" | "held" | "broken" | "done";

/** A film that this page sends. */
export interface Transfer {
  readonly key: number;
  readonly film: Film;
  readonly id: string;
  readonly state: TransferState;
  readonly sent: number;
  readonly speed: number | null;
  readonly secondsLeft: number | null;
  readonly fault: string;
  /** What was typed here. */
  readonly details: UploadDetails | null;
  /** Why the server does not have that. */
  readonly detailsFault: string;
}

/** A film that nothing was sent of, unless the server has a part. */
export function transferOf(key: number, film: Film, rest: Upload | undefined): Transfer {
  return {
    key,
    film,
    id: rest?.id ?? "",
    state: "waiting",
    sent: rest?.received ?? 0,
    speed: null,
    secondsLeft: null,
    fault: "",
    details: null,
    detailsFault: "",
  };
}

/** Whether a file is the rest of an upload that the server has. */
export function isSame(file: File, known: Upload): boolean {
  return (
    known.state === "arriving" &&
    known.file === file.name &&
    known.bytes === file.size &&
    known.last_modified === String(file.lastModified)
  );
}

/** Whether two choices are the same file. */
export function isEqual(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  );
}
