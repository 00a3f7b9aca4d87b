import "./category-strip.css";
import { useLayoutEffect, useRef } from "react";
import type { Category } from "@/shared/api/model.ts";
import { useDeviceClass } from "@/shared/ui/device-class.ts";

/**
 * Most tabs that share the strip's width; more of them scroll (specification §9,
 * docs/product.md#r6).
 */
const SHARING_PHONE = 4;
const SHARING_WIDER = 7;

interface CategoryStripProps {
  readonly categories: readonly Pick<Category, "id" | "name">[];
  readonly activeId: number;
  /** Called with another category than the present one only (specification §5). */
  readonly onChange: (id: number) => void;
}

/** The category tabs. The selected one is centred if the strip scrolls. */
export function CategoryStrip({ categories, activeId, onChange }: CategoryStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLSpanElement>(null);
  const most = useDeviceClass() === "phone" ? SHARING_PHONE : SHARING_WIDER;
  // A single tab while the others are loading: it must not move when they arrive.
  const isSharing = categories.length > 1 && categories.length <= most;

  useLayoutEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>(`[data-id="${activeId}"]`);
    if (!strip.current || !line.current) return;
    line.current.hidden = !tab;
    if (!tab) return;
    const middle = tab.offsetLeft + tab.offsetWidth / 2;
    line.current.style.translate = `${middle - line.current.offsetWidth / 2}px`;
    strip.current.scrollTo({ left: middle - strip.current.clientWidth / 2, behavior: "smooth" });
  }, [activeId, categories, isSharing]);

  return (
    <div className="category-strip">
      <div
        ref={strip}
        className={`category-tabs ${isSharing ? "is-sharing" : ""}`}
        role="tablist"
        aria-label="分类"
      >
        {categories.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            data-id={id}
            aria-selected={id === activeId}
            onClick={() => id !== activeId && onChange(id)}
          >
            {name}
          </button>
        ))}
        <span ref={line} className="category-line" aria-hidden="true" />
      </div>
    </div>
  );
}
