"use no memo"; // Drawn so rarely that remembering its parts would only cost bytes of the first bundle.

import "./app.css";
import { Emblem } from "@/shared/ui/emblem.tsx";

/** The emblem, breathing: a screen whose code is on its way. */
export function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="加载中">
      <Emblem />
    </div>
  );
}
