import { CORE_TEXT } from "@/shared/messages/core-texts.ts";

/**
 * An entry of the browser's storage. What is read is parsed, never trusted; unreadable values
 * become the default. If storage is blocked (frames, private windows), values live in memory.
 */
export interface StorageEntry<T> {
  readonly key: string;
  readonly area: "local" | "session";
  /** Turns stored text into a value; `undefined` refuses it. */
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
  /** The default value. Always the same object, so that React sees no change. */
  readonly initial: T;
}

type Place = Pick<StorageEntry<unknown>, "key" | "area">;

const memory = new Map<string, string>();
const parsed = new Map<string, { text: string; value: unknown }>();
const listeners = new Map<string, Set<() => void>>();

const memoryKey = (entry: Place) => `${entry.area}:${entry.key}`;

function areaOf(entry: Place): Storage {
  return entry.area === "local" ? window.localStorage : window.sessionStorage;
}

function readText(entry: Place): string | null {
  const cached = memory.get(memoryKey(entry));
  if (cached !== undefined) return cached;
  try {
    return areaOf(entry).getItem(entry.key);
  } catch {
    return null;
  }
}

/** The stored value, or the entry's default. The same text gives the same object. */
export function read<T>(entry: StorageEntry<T>): T {
  const text = readText(entry);
  if (text === null) return entry.initial;
  const name = memoryKey(entry);
  const cached = parsed.get(name);
  if (cached?.text === text) return cached.value as T;
  const value = parseSafely(entry, text);
  parsed.set(name, { text, value });
  return value;
}

function parseSafely<T>(entry: StorageEntry<T>, text: string): T {
  try {
    return entry.parse(text) ?? entry.initial;
  } catch {
    return entry.initial;
  }
}

/**
 * Store a value. A failure (blocked, full) is logged only (specification §8); the value then lives
 * in memory.
 */
export function write<T>(entry: StorageEntry<T>, value: T): void {
  const name = memoryKey(entry);
  const text = entry.format(value);
  try {
    areaOf(entry).setItem(entry.key, text);
    memory.delete(name);
  } catch (error) {
    memory.set(name, text);
    console.warn(CORE_TEXT.historyWriteFailed, error);
  }
  announce(name);
}

/** Forget a value. */
export function remove<T>(entry: StorageEntry<T>): void {
  const name = memoryKey(entry);
  memory.delete(name);
  try {
    areaOf(entry).removeItem(entry.key);
  } catch {
    // Nothing was stored if storage is blocked.
  }
  announce(name);
}

function announce(name: string): void {
  for (const listener of listeners.get(name) ?? []) listener();
}

/**
 * Listen to changes of an entry, including those of other tabs.
 *
 * @returns A function that ends it.
 */
export function subscribe<T>(entry: StorageEntry<T>, listener: () => void): () => void {
  const name = memoryKey(entry);
  const group = listeners.get(name) ?? new Set();
  listeners.set(name, group.add(listener));
  const heard = (event: StorageEvent) => {
    if (event.key === entry.key || event.key === null) listener();
  };
  window.addEventListener("storage", heard);
  return () => {
    group.delete(listener);
    window.removeEventListener("storage", heard);
  };
}
