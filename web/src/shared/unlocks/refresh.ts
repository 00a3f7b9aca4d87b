import { listShareCounts } from "@/shared/api/share-calls.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { recordServersCounts } from "./counts.ts";

/**
 * How long the server's counts are valid for locks, in milliseconds; a video's page asks for its
 * own.
 */
const FRESH_MS = 60_000;

let asked: { readonly code: string; readonly at: number } | null = null;

/**
 * Ask for the progress of the visitor's videos, unless that was done a moment ago. A failure is
 * only logged.
 */
export async function refreshCounts(): Promise<void> {
  const code = visitorCode();
  if (asked?.code === code && performance.now() - asked.at < FRESH_MS) return;
  asked = { code, at: performance.now() };
  try {
    recordServersCounts(await listShareCounts());
  } catch (error) {
    console.warn(error);
  }
}
