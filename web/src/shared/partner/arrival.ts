import { RETURN_PATH } from "@/shared/storage/entries.ts";
import { read, remove } from "@/shared/storage/registry.ts";
import { arrival, holdCode } from "./departure.ts";

/** The code that the page was opened with; null if there was none, or it was taken already. */
export function takeCode(): string | null {
  holdCode();
  const { code } = arrival;
  arrival.code = null;
  return code;
}

/** Where a visitor continues after returning with a session; the address is used once. */
export function takeReturnPath(): string {
  const path = read(RETURN_PATH);
  remove(RETURN_PATH);
  return path || "/home";
}
