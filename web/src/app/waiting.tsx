"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./app.css";
import { Emblem } from "@/shared/ui/emblem.tsx";

/** The breathing emblem: shown while a screen's code is loading. */
export function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="加载中">
      <Emblem />
    </div>
  );
}
