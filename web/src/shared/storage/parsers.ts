import type { StorageEntry } from "./registry.ts";

const parseFlag = (text: string) => text === "1" || text === "true";

/** An entry that is true or false; stored as `1`. */
export function flagEntry(key: string): StorageEntry<boolean> {
  return {
    key,
    area: "local",
    parse: parseFlag,
    format: (value) => (value ? "1" : "0"),
    initial: false,
  };
}

/** An entry that is text matching a pattern. */
export function textEntry(
  key: string,
  pattern: RegExp,
  area: "local" | "session" = "local",
): StorageEntry<string> {
  return {
    key,
    area,
    parse: (text) => (pattern.test(text) ? text : undefined),
    format: (value) => value,
    initial: "",
  };
}

/** An entry that is a number not below 0. */
export function numberEntry(key: string, initial: number): StorageEntry<number> {
  const parse = (text: string) => {
    const value = Number(text);
    return text !== "" && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  return { key, area: "local", parse, format: String, initial };
}

/**
 * An entry that is a JSON list with a cap; items that `parseItem` refuses are dropped, the newest
 * stand first.
 *
 * @param cap - Most items kept.
 */
export function listEntry<T>(
  key: string,
  cap: number,
  parseItem: (item: unknown) => T | undefined,
  formatItem: (item: T) => unknown = (item) => item,
): StorageEntry<readonly T[]> {
  return {
    key,
    area: "local",
    parse: (text) => {
      const list: unknown = JSON.parse(text);
      if (!Array.isArray(list)) return undefined;
      return list
        .map(parseItem)
        .filter((item) => item !== undefined)
        .slice(0, cap);
    },
    format: (value) => JSON.stringify(value.slice(0, cap).map(formatItem)),
    initial: [],
  };
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
