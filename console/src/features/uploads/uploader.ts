import type { Upload as Sending } from "tus-js-client";
import { tellDetails } from "@/features/uploads/describing.ts";
import { type Sorted, sortFiles } from "@/features/uploads/films.ts";
import { Outage } from "@/features/uploads/outage.ts";
import { Pace } from "@/features/uploads/pace.ts";
import { faultOf, giveUp, type SendingError, sending } from "@/features/uploads/sending.ts";
import { isEqual, isSame, type Transfer, transferOf } from "@/features/uploads/transfer.ts";
import type { Upload, UploadDetails } from "@/shared/api/types.ts";

/** Films that are sent at a time; more would only share the line. */
const AT_ONCE = 2;

interface Work {
  transfer: Transfer;
  readonly pace: Pace;
  current: Sending | null;
  /** Ids of what goes with the film, once the server has it. */
  beside: string[];
  /** What was typed and the server has yet to hear. */
  untold: UploadDetails | null;
  /** What it is told, one after the other: the last word counts. */
  telling: Promise<void>;
}

/** Sends films, a few at a time, whichever page is shown. */
export class Uploader {
  private readonly works = new Map<number, Work>();
  private readonly listeners = new Set<() => void>();
  private shown: readonly Transfer[] = [];
  private lastKey = 0;
  private readonly outage = new Outage(() => {
    this.reconnect();
  });

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
        transfer: transferOf(this.lastKey, film, rest),
        pace: new Pace(),
        current: null,
        beside: [],
        untold: null,
        telling: Promise.resolve(),
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
    const isHeld = work.transfer.state === "held";
    this.change(work, { state: "waiting", fault: "" });
    // Whoever does not wait for the next question to the server asks by this film.
    if (isHeld) this.reconnect();
    else this.next();
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

  /**
   * Keeps what was typed until the server knows the film, and tells it then.
   *
   * @throws CallError
   */
  async describe(key: number, details: UploadDetails): Promise<void> {
    const work = this.works.get(key);
    if (!work) return;
    work.untold = details;
    this.change(work, { details, detailsFault: "" });
    if (work.transfer.id) await this.tellServer(work);
  }

  /** The server answers again, or might: what waits for that goes on. */
  reconnect(): void {
    this.outage.end();
    for (const work of this.works.values()) {
      if (work.transfer.state === "held") this.change(work, { state: "waiting", fault: "" });
      this.tellAside(work);
    }
    this.next();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): readonly Transfer[] => this.shown;

  private next(): void {
    const works = this.outage.isNow ? [] : [...this.works.values()];
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
      work.pace.restart();
      if (this.isGoing(work)) this.stop(work, faultOf(error));
    }
    this.next();
  }

  private stop(work: Work, { message, reason }: SendingError): void {
    const isHeld = reason === "away" || reason === "login";
    if (isHeld) this.outage.begin();
    const state = isHeld ? "held" : "broken";
    this.change(work, { state, fault: message, speed: null, secondsLeft: null });
    if (reason !== "lost" || !work.transfer.id) return;
    // It was ended elsewhere, with what goes with it: the same file begins anew.
    work.beside = [];
    work.untold = work.transfer.details;
    this.change(work, { id: "", sent: 0 });
  }

  private sendFilm(work: Work): Promise<void> {
    const { film } = work.transfer;
    return new Promise((resolve, reject) => {
      work.current = sending({
        file: film.file,
        beside: work.beside,
        id: work.transfer.id,
        isHidden: () => work.transfer.details?.is_hidden ?? false,
        onId: (id) => {
          this.change(work, { id });
          this.tellAside(work);
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
        onFault: reject,
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
        isHidden: () => false,
        onId: (given) => {
          id = given;
        },
        onSent: () => undefined,
        onDone: () => {
          resolve(id);
        },
        onFault: reject,
      });
      work.current.start();
    });
  }

  private tellServer(work: Work): Promise<void> {
    work.telling = work.telling.catch(() => undefined).then(() => this.sendDetails(work));
    return work.telling;
  }

  /** The same while nobody waits for it: the row says how it ends. */
  private tellAside(work: Work): void {
    if (work.transfer.id && work.untold) this.tellServer(work).catch(() => undefined);
  }

  private async sendDetails(work: Work): Promise<void> {
    const { untold } = work;
    const { id } = work.transfer;
    if (!untold || !id) return;
    const isWanted = () => work.untold === untold && work.transfer.id === id;
    const { error, isPassing } = await tellDetails(id, untold, isWanted);
    if (!isWanted()) return;
    if (isPassing) this.outage.begin();
    else work.untold = null;
    const then = isPassing ? "恢复后会自动再存" : "请再填写一次";
    this.change(work, {
      detailsFault: error ? `填写的信息没有存上：${error.message}。${then}` : "",
    });
    if (error) throw error;
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
