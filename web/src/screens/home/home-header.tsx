"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { IconBell, IconHeart, IconHistory, IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useNavigate } from "@/shared/navigation/navigation.tsx";
import { useNoticeDot } from "@/shared/store/notice-dot.ts";
import { Emblem } from "@/shared/ui/emblem.tsx";
import { Wordmark } from "@/shared/ui/wordmark.tsx";

/** Scroll position from which the head shrinks, in CSS pixels. */
const STUCK_FROM = 8;

function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const update = () => setScrolled(window.scrollY > STUCK_FROM);
    // In the next frame: asking now would make the browser lay out the page once more.
    requestAnimationFrame(update);
    window.addEventListener("scroll", update, { passive: true });
    return () => window.removeEventListener("scroll", update);
  }, []);
  return isScrolled;
}

/** `/` opens the search, as on many sites, except while typing. */
function useSearchKey(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest("input, textarea, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      navigate("/search");
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate]);
}

/**
 * Home's head: emblem, search pill that shrinks on scrolling, watch history; on wide screens
 * favourites and notices too.
 */
export function HomeHeader() {
  const isScrolled = useIsScrolled();
  const hasNews = useNoticeDot((state) => state.isShown);
  useSearchKey();
  return (
    <header className={`home-head ${isScrolled ? "is-stuck" : ""}`}>
      <div className="home-head-inner">
        <Emblem className="home-emblem" />
        <Wordmark className="home-wordmark" />
        <Link className="search-pill" to="/search">
          <IconSearch size={18} stroke={2} aria-hidden="true" />
          <span>搜索视频、作者、标签</span>
          <kbd aria-hidden="true">/</kbd>
        </Link>
        <Link className="icon-button" to="/collectVideo?type=history" aria-label="观看历史">
          <IconHistory stroke={1.75} aria-hidden="true" />
        </Link>
        <Link
          className="icon-button is-wide-only"
          to="/collectVideo?type=favorite"
          aria-label="我喜欢的"
        >
          <IconHeart stroke={1.75} aria-hidden="true" />
        </Link>
        <Link
          className="icon-button is-wide-only"
          to="/mine?panel=notice"
          aria-label={hasNews ? "公告，有新内容" : "公告"}
        >
          <IconBell stroke={1.75} aria-hidden="true" />
          {hasNews && <i className="home-dot" />}
        </Link>
      </div>
    </header>
  );
}
