import { type ReactNode, useEffect, useRef, useState } from "react";

/** How far from the window a chunk is drawn. */
const MARGIN = "500px 0px";

interface ChunkBoxProps {
  readonly className: string;
  /** Draws the items; not called while the chunk is far away. */
  readonly children: () => ReactNode;
}

/** A chunk of a long list: far from the window it stands as an empty box of its own height. */
export function ChunkBox({ className, children }: ChunkBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        // A hidden screen has no boxes: its chunks stay as they are.
        if (!entry || entry.boundingClientRect.width === 0) return;
        setHeight(entry.isIntersecting ? null : entry.boundingClientRect.height);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  if (height === null) {
    return (
      <div ref={box} className={className}>
        {children()}
      </div>
    );
  }
  return <div ref={box} className="chunk-away" style={{ height }} aria-hidden="true" />;
}
