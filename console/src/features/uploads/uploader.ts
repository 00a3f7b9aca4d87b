import type { Upload as Sending } from "tus-js-client";
import { type Film, type Sorted, sortFiles } from "@/features/uploads/films.ts";
import { Pace } from "@/features/uploads/pace.ts";
import { giveUp, messageOf, sending } from "@/features/uploads/sending.ts";
import { call } from "@/shared/api/call.ts";
import type { Upload, UploadDetails } from "@/shared/api/types.ts";

/** Films that are sent at a time; more would only share the line. */
const AT_ONCE = 2;

export type TransferState = "waiting" | "sending" | "paused" | "broken" | "done";

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
  /** What was typed before the server knew the film. */
  readonly details: UploadDetails | null;
}

interface Work {
  transfer: Transfer;
  readonly pace: Pace;
  current: Sending | null;
  /** Ids of what goes with the film, once the server has it. */
  readonly beside: string[];
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

function isEqual(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  );
}

/** Sends films, a few at a time, whichever page is shown. */
export class Uploader {
  private readonly works = new Map<number, Work>();
  private readonly listeners = new Set<() => void>();
  private shown: readonly Transfer[] = [];
  private lastKey = 0;

  /**
   * Begins with some files, or goes on with those that the server has in part.
   *
   * @returns Those that are no films and go with none.
   */
  add(files: readonly File[], known: readonly Upload[]): readonly File[] {
    const { films, others }: Sorted = sortFiles(files);
    for (const film of films) {
      const rest = known.find((one) => isSame(film.file, one));
      const isHere = [...this.works.values()].some(
        ({ transfer }) =>
          (transfer.id !== "" && transfer.id === rest?.id) ||
          (transfer.state !== "done" && isEqual(transfer.film.file, film.file)),
      );
      if (isHere) continue;
      this.lastKey += 1;
      this.works.set(this.lastKey, {
        transfer: {
          key: this.lastKey,
          film,
          id: rest?.id ?? "",
          state: "waiting",
          sent: rest?.received ?? 0,
          speed: null,
          secondsLeft: null,
          fault: "",
          details: null,
        },
        pace: new Pace(),
        current: null,
        beside: [],
      });
    }
    this.next();
    return others;
  }

  pause(key: number): void {
    const work = this.works.get(key);
    if (!work) return;
    void work.current?.abort();
    work.pace.restart();
    this.change(work, { state: "paused", speed: null, secondsLeft: null });
    this.next();
  }

  resume(key: number): void {
    const work = this.works.get(key);
    if (!work) return;
    this.change(work, { state: "waiting", fault: "" });
    this.next();
  }

  /** Gives a film up, here and on the server. */
  async cancel(key: number): Promise<void> {
    const work = this.works.get(key);
    if (!work) return;
    await work.current?.abort();
    this.works.delete(key);
    this.tell();
    this.next();
    const { id } = work.transfer;
    for (const one of id ? [id] : work.beside) await giveUp(one);
  }

  /** Forgets what ended; the server's list has it. */
  forget(key: number): void {
    this.works.delete(key);
    this.tell();
  }

  /** Keeps what was typed until the server knows the film, and tells it then. */
  async describe(key: number, details: UploadDetails): Promise<void> {
    const work = this.works.get(key);
    if (!work) return;
    this.change(work, { details });
    if (work.transfer.id) await this.sendDetails(work);
  }

  /** What broke for want of a network goes on. */
  reconnect(): void {
    for (const { transfer } of this.works.values())
      if (transfer.state === "broken") this.resume(transfer.key);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): readonly Transfer[] => this.shown;

  private next(): void {
    const works = [...this.works.values()];
    let free = AT_ONCE - works.filter(({ transfer }) => transfer.state === "sending").length;
    for (const work of works) {
      if (free <= 0) break;
      if (work.transfer.state !== "waiting") continue;
      free -= 1;
      this.change(work, { state: "sending" });
      void this.send(work);
    }
    this.tell();
  }

  private async send(work: Work): Promise<void> {
    try {
      const { film, id } = work.transfer;
      if (!id)
        for (const file of film.beside.slice(work.beside.length))
          work.beside.push(await this.sendWhole(work, file));
      if (this.isGoing(work)) await this.sendFilm(work);
    } catch (error) {
      if (this.isGoing(work))
        this.change(work, { state: "broken", fault: faultOf(error), speed: null });
    }
    this.next();
  }

  private sendFilm(work: Work): Promise<void> {
    const { film } = work.transfer;
    return new Promise((resolve) => {
      work.current = sending({
        file: film.file,
        beside: work.beside,
        id: work.transfer.id,
        onId: (id) => {
          this.change(work, { id });
          if (work.transfer.details) void this.sendDetails(work);
        },
        onSent: (sent) => {
          if (!this.isGoing(work)) return;
          work.pace.note(sent);
          const { speed } = work.pace;
          const secondsLeft = work.pace.secondsFor(film.file.size - sent);
          this.change(work, { sent, speed, secondsLeft });
        },
        onDone: () => {
          this.change(work, { state: "done", sent: film.file.size, speed: null });
          resolve();
        },
        onFault: (fault, status) => {
          work.pace.restart();
          // It was ended elsewhere: the same file begins anew.
          const lost = status === 404 || status === 410 ? { id: "", sent: 0 } : {};
          if (this.isGoing(work))
            this.change(work, { ...lost, state: "broken", fault, speed: null, secondsLeft: null });
          resolve();
        },
      });
      // Where it is paused, the promise stays open, and the next start is another one.
      work.current.start();
    });
  }

  /** A small file that goes with a film; its id. */
  private sendWhole(work: Work, file: File): Promise<string> {
    return new Promise((resolve, reject) => {
      let id = "";
      work.current = sending({
        file,
        beside: [],
        id: "",
        onId: (given) => {
          id = given;
        },
        onSent: () => undefined,
        onDone: () => {
          resolve(id);
        },
        onFault: (message) => {
          reject(new Error(message));
        },
      });
      work.current.start();
    });
  }

  private async sendDetails(work: Work): Promise<void> {
    const { id, details } = work.transfer;
    if (!details) return;
    await call(`/api/uploads/${id}/details`, { method: "PUT", body: details });
  }

  private isGoing(work: Work): boolean {
    return this.works.get(work.transfer.key) === work && work.transfer.state === "sending";
  }

  private change(work: Work, values: Partial<Transfer>): void {
    work.transfer = { ...work.transfer, ...values };
    this.tell();
  }

  private tell(): void {
    this.shown = [...this.works.values()].map(({ transfer }) => transfer);
    for (const listener of this.listeners) listener();
  }
}

function faultOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : messageOf(error);
}
