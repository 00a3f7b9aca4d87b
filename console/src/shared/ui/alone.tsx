import "@/shared/ui/alone.css";
import type { ReactNode } from "react";
import emblem from "../../../../web/public/favicon.svg";

/** A page without the frame of the others, in the middle of the window. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <main className="alone">
      <img src={emblem} alt="" width={64} height={64} />
      {children}
    </main>
  );
}
