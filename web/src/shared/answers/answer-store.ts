/** How far the answer to a question is. */
export interface Answer<T> {
  /** The last answer; stays while it is asked again. */
  readonly data: T | undefined;
  readonly isLoading: boolean;
  readonly isError: boolean;
}

const NOT_ASKED: Answer<never> = { data: undefined, isLoading: false, isError: false };

/**
 * Answers of the server that live as long as the page: what home asks once. Lists, which page and
 * age, use the query cache that comes with their screens.
 */
export class AnswerStore {
  readonly #answers = new Map<string, Answer<unknown>>();
  readonly #listeners = new Set<() => void>();

  /** The present state; the same object until it changes. */
  get<T>(key: string): Answer<T> {
    return (this.#answers.get(key) as Answer<T> | undefined) ?? NOT_ASKED;
  }

  /** Put an answer in that is known already. */
  set<T>(key: string, data: T): void {
    this.#change(key, { data, isLoading: false, isError: false });
  }

  /** Ask, unless an answer is there or on its way. A failure is logged. */
  async ask<T>(key: string, load: () => Promise<T>): Promise<void> {
    const known = this.get<T>(key);
    if (known.isLoading || known.data !== undefined) return;
    this.#change(key, { data: undefined, isLoading: true, isError: false });
    try {
      this.set(key, await load());
    } catch (error) {
      console.warn(error);
      this.#change(key, { data: undefined, isLoading: false, isError: true });
    }
  }

  /** Hear of changes; the returned function ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #change(key: string, answer: Answer<unknown>): void {
    this.#answers.set(key, answer);
    for (const listener of this.#listeners) listener();
  }
}

/** The page's answers. */
export const answers = new AnswerStore();
