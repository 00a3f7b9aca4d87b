import { useEffect } from "react";

/** Names the document after its page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - 流影控制台`;
  }, [title]);
}
