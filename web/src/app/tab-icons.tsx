"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import type { TabIconName } from "@/shared/api/tabs.gen.ts";

/**
 * A tab's icon on 24 × 24: its body, filled when the tab is active, and a mark on it that then
 * shows the background.
 */
interface TabDrawing {
  readonly body: string;
  readonly mark: string;
}

const HOUSE: TabDrawing = {
  body: "M4 10.6 12 4l8 6.6V19a1.2 1.2 0 0 1-1.2 1.2H5.2A1.2 1.2 0 0 1 4 19z",
  mark: "M12 15.5V20",
};

const DRAWINGS: Readonly<Record<TabIconName, TabDrawing>> = {
  home: HOUSE,
  trophy: {
    body: "M4.5 20v-7.5h4.3V20zM9.8 20V5h4.4v15zM15.2 20V9.5h4.3V20z",
    mark: "",
  },
  compass: {
    body: "M12 3.7a8.3 8.3 0 1 0 0 16.6 8.3 8.3 0 0 0 0-16.6z",
    mark: "m15.3 8.7-1.9 4.7-4.7 1.9 1.9-4.7z",
  },
  carousel: {
    body: "M9.2 3.5h5.6A3.2 3.2 0 0 1 18 6.7v10.6a3.2 3.2 0 0 1-3.2 3.2H9.2A3.2 3.2 0 0 1 6 17.3V6.7a3.2 3.2 0 0 1 3.2-3.2z",
    mark: "m10.6 9.3 4 2.7-4 2.7z",
  },
  eye: {
    body: "M2.8 12S6 5.8 12 5.8s9.2 6.2 9.2 6.2-3.2 6.2-9.2 6.2S2.8 12 2.8 12z",
    mark: "M12 9.1a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8z",
  },
  user: {
    body: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.6-3.9 3.6-6 7.5-6s6.9 2.1 7.5 6z",
    mark: "",
  },
};

/** The icon of a tab by its configured name; an unknown name gets the house. */
export function TabIcon({ name }: { readonly name: string }) {
  const { body, mark } = name in DRAWINGS ? DRAWINGS[name as TabIconName] : HOUSE;
  return (
    <svg className="tab-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={body} />
      {mark && <path className="tab-icon-mark" d={mark} />}
    </svg>
  );
}
