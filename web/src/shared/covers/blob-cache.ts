/**
 * Addresses of decrypted pictures by their encrypted address. The cache is bounded: the least
 * recently used go first, and never those on the screen. Dropped ones are revoked, which frees
 * their memory.
 */
export class BlobCache {
  readonly #limit: number;
  readonly #load: (url: string) => Promise<Blob>;
  readonly #entries = new Map<string, { users: number; address: Promise<string> }>();

  /**
   * @param limit - Most pictures kept, those on the screen not counted.
   * @param load - Fetches and opens one.
   */
  constructor(limit: number, load: (url: string) => Promise<Blob>) {
    this.#limit = limit;
    this.#load = load;
  }

  /** How many pictures are held. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * The picture's blob address. Each call requires a later {@link release}, unless it rejects: a
   * failure is not kept.
   */
  acquire(url: string): Promise<string> {
    const known = this.#entries.get(url);
    const entry = known ?? {
      users: 0,
      address: this.#load(url).then((blob) => URL.createObjectURL(blob)),
    };
    entry.users += 1;
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    // A failure is dropped, so that the next attempt fetches again.
    if (!known) entry.address.catch(() => this.#entries.delete(url));
    return entry.address;
  }

  /** End one use. */
  release(url: string): void {
    const entry = this.#entries.get(url);
    if (entry) entry.users -= 1;
    this.#trim();
  }

  #trim(): void {
    const idle = [...this.#entries].filter(([, entry]) => entry.users <= 0);
    for (const [url, entry] of idle.slice(0, Math.max(0, idle.length - this.#limit))) {
      this.#entries.delete(url);
      void entry.address.then((address) => URL.revokeObjectURL(address));
    }
  }
}
