import { fromLocalInput, toLocalInput } from "@/shared/format/clock.ts";

/** A moment of the wire as a form has it; empty for no limit. */
export function typedOf(moment: string | null | undefined): string {
  return moment ? toLocalInput(moment) : "";
}

/** A moment as typed, for the wire; one that stayed keeps its seconds. */
export function momentOf(typed: string, known: string | null | undefined): string | null {
  if (typed === "") return null;
  return known && toLocalInput(known) === typed ? known : fromLocalInput(typed);
}
