/** Another switch this soon after the last is not one (specification §9: 500 ms debounce), milliseconds. */
export const SWITCH_MS = 500;

/** Lets one switch through, then none for {@link SWITCH_MS}: a wheel or a key that repeats turns one page. */
export class SwitchLock {
  #last = Number.NEGATIVE_INFINITY;

  /** @param now - milliseconds, as of any clock that only goes forward. @returns Whether it may pass. */
  pass(now: number): boolean {
    if (now - this.#last < SWITCH_MS) return false;
    this.#last = now;
    return true;
  }
}
