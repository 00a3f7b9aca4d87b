import { CACHED_FAVOURITES } from "@/features/favourites/cached-favourites.ts";
import { ApiError } from "@/shared/api/client.ts";
import { changeCode } from "@/shared/api/personal-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { SHARE_VIDEOS, UUID } from "@/shared/storage/entries.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { read, remove, write } from "@/shared/storage/registry.ts";
import { CODE_CHANGES, type CodeChanges } from "@/shared/storage/screen-entries.ts";

/** Characters of a code (specification §5); shorter than {@link SAFE_LENGTH} it can be guessed. */
export const MAX_CODE_LENGTH = 12;
const SAFE_LENGTH = 10;

/** Changes in a time (specification §9), milliseconds. */
const MAX_CHANGES = 2;
const CHANGES_MS = 86_400_000;

const TOO_MANY = 429;
const INVALID = 422;

const isCode = (text: string): boolean => UUID.parse(text) !== undefined;

/** What is wrong with a wanted code; null where nothing is. */
export function codeProblem(wanted: string, current: string): string | null {
  if (!isCode(wanted)) return TEXT.codeInvalid;
  return wanted === current ? TEXT.codeUnchanged : null;
}

/** Whether a valid code is so short that somebody may guess it. */
export function isGuessable(wanted: string): boolean {
  return isCode(wanted) && wanted.length < SAFE_LENGTH;
}

/** The changes that still count, without those too old or ahead of the clock. */
export function countedChanges(changes: CodeChanges, now: number): CodeChanges {
  const age = now - changes.timestamp;
  return age >= 0 && age < CHANGES_MS ? changes : { timestamp: now, used: 0 };
}

/** How an attempt ended. */
export type ChangeResult =
  | { readonly isChanged: true; readonly left: number }
  | { readonly isChanged: false; readonly problem: string };

const refused = (problem: string): ChangeResult => ({ isChanged: false, problem });

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return TEXT.networkError;
  const { code, cause } = error;
  // Who tries many codes is refused with the same number, and other words.
  if (code === TOO_MANY && cause === TEXT.codeLimit) return TEXT.codeLimit;
  return code === INVALID ? TEXT.codeInvalid : TEXT.networkError;
}

/**
 * Use another code (specification §5, §8; docs/product.md#identity). Everything personal depends on
 * the stored code and is requested again when it changes.
 */
export async function tryChangeCode(wanted: string, now: number): Promise<ChangeResult> {
  const problem = codeProblem(wanted, visitorCode());
  if (problem) return refused(problem);
  const changes = countedChanges(read(CODE_CHANGES), now);
  if (changes.used >= MAX_CHANGES) return refused(TEXT.codeLimit);
  try {
    const left = await changeCode(wanted);
    write(CODE_CHANGES, { ...changes, used: changes.used + 1 });
    remove(CACHED_FAVOURITES);
    remove(SHARE_VIDEOS);
    write(UUID, wanted);
    return { isChanged: true, left };
  } catch (error) {
    console.info(error);
    return refused(problemOf(error));
  }
}
