import { flagEntry } from "@/shared/storage/parsers.ts";
import { read, write } from "@/shared/storage/registry.ts";

/** The visitor's answer to the age gate (docs/product.md#age-gate): kept on this device alone. */
const AGE_CONFIRMED = flagEntry("ageConfirmed");

export const isAgeConfirmed = (): boolean => read(AGE_CONFIRMED);

export function confirmAge(): void {
  write(AGE_CONFIRMED, true);
}

/** The header of calls that are answered to whoever has said his age; none where he has not. */
export const ageAnswer = (): Record<string, string> =>
  isAgeConfirmed() ? { "X-Age-Confirmed": "1" } : {};
