import "@/shared/ui/badge.css";
import type { ReactNode } from "react";
import type { Tone } from "@/shared/ui/tones.ts";

/** A state in a few words; its tone repeats what they say, and never says more. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
