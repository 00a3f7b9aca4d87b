const SECONDS = 60;

/** A running time in milliseconds: `6:31`, from an hour on `1:02:03`. */
export function clock(duration: number): string {
  const whole = Math.max(0, Math.round(duration / 1000));
  const seconds = String(whole % SECONDS).padStart(2, "0");
  const minutes = Math.floor(whole / SECONDS) % SECONDS;
  const hours = Math.floor(whole / (SECONDS * SECONDS));
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`
    : `${minutes}:${seconds}`;
}

/** A time of the wire as `<input type="datetime-local">` takes it, in this browser's zone. */
export function toLocalInput(text: string): string {
  const moment = new Date(text);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** What such an input holds, as the wire has it. */
export function fromLocalInput(text: string): string {
  return new Date(text).toISOString();
}
