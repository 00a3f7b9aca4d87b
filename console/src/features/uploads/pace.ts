/** The last seconds count: a network that has become slow is said soon, and a hiccup is not. */
const WINDOW_MS = 12_000;
const LEAST_MS = 1500;

/** How fast bytes go, and how long the rest takes. */
export class Pace {
  private readonly points: { readonly at: number; readonly sent: number }[] = [];

  /** So much was sent until then (milliseconds). */
  note(sent: number, at: number = Date.now()): void {
    this.points.push({ at, sent });
    while (this.points.length > 2 && at - (this.points[0]?.at ?? at) > WINDOW_MS)
      this.points.shift();
  }

  /** Forget what was: after a pause the old pace says nothing. */
  restart(): void {
    this.points.length = 0;
  }

  /** Bytes a second; null while too little is known. */
  get speed(): number | null {
    const [first] = this.points;
    const last = this.points.at(-1);
    if (!first || !last || last.at - first.at < LEAST_MS) return null;
    return ((last.sent - first.sent) * 1000) / (last.at - first.at);
  }

  /** Seconds for so many more bytes; null while too little is known, or nothing moves. */
  secondsFor(bytes: number): number | null {
    const { speed } = this;
    return speed === null || speed <= 0 ? null : bytes / speed;
  }
}
