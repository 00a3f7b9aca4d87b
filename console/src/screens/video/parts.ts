/** What of a video its page shows beside the preview. */
export type Part = "text" | "subtitles" | "figures";

/** The part that an address names; what it should not say is left out. */
export function partOf(said: unknown): { part?: Exclude<Part, "text"> } {
  return said === "subtitles" || said === "figures" ? { part: said } : {};
}
