import "@/shared/ui/skeleton.css";
import { IconChevronLeft, IconChevronRight, IconRefresh } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { FavouriteUser } from "@/shared/api/personal-calls.ts";
import type { PagedList } from "@/shared/server-state/paged-list.ts";
import type { ListState } from "@/shared/server-state/paging.ts";

/** How far beyond the strip's end the next users are requested. */
const AHEAD = "0px 400px 0px 0px";
/** Share of the strip's width that an arrow scrolls. */
const TURN = 0.8;
const FIRST_SKELETONS = 6;
/** Ground colours; `favorites.css` has one hue for each. */
const GROUNDS = 8;

interface UserStripProps {
  readonly list: PagedList<FavouriteUser>;
  readonly state: ListState<FavouriteUser>;
  readonly chosenId: string | null;
  readonly onChoose: (user: FavouriteUser) => void;
}

/**
 * Users side by side: swiped by touch, turned by arrows where there is a mouse; more come near the
 * end.
 */
export function UserStrip({ list, state, chosenId, onChoose }: UserStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const turn = (way: 1 | -1) => {
    const element = strip.current;
    element?.scrollBy({ left: way * element.clientWidth * TURN, behavior: "smooth" });
  };
  // The chosen user, whether by a tap or by a swipe over the videos, is centred.
  useEffect(() => {
    const track = strip.current;
    const chip = track?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!track || !chip || chosenId === null) return;
    const left = chip.offsetLeft - track.offsetLeft - (track.clientWidth - chip.offsetWidth) / 2;
    track.scrollTo({ left, behavior: "smooth" });
  }, [chosenId]);
  return (
    <section className="user-strip" aria-label="收藏用户">
      <StripArrow label="前面的用户" onPress={() => turn(-1)} />
      <div ref={strip} className="user-strip-track">
        {state.items.map((user) => (
          <button
            key={user.id}
            type="button"
            className="user-chip"
            aria-pressed={user.id === chosenId}
            onClick={() => onChoose(user)}
          >
            <span className="user-face" data-ground={groundOf(user.alias)} aria-hidden="true">
              {user.alias.slice(0, 2)}
            </span>
            {user.alias}
          </button>
        ))}
        <StripTail list={list} state={state} />
      </div>
      <StripArrow label="后面的用户" onPress={() => turn(1)} isNext />
    </section>
  );
}

/** The same background for the same name each time. */
function groundOf(alias: string): number {
  let sum = 0;
  for (const character of alias) sum += character.charCodeAt(0);
  return sum % GROUNDS;
}

interface StripArrowProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly isNext?: boolean;
}

function StripArrow({ label, onPress, isNext = false }: StripArrowProps) {
  const Chevron = isNext ? IconChevronRight : IconChevronLeft;
  return (
    <button
      type="button"
      className="icon-button user-strip-arrow"
      aria-label={label}
      onClick={onPress}
    >
      <Chevron stroke={1.75} aria-hidden="true" />
    </button>
  );
}

function StripTail({ list, state }: Pick<UserStripProps, "list" | "state">) {
  const mark = useRef<HTMLElement>(null);
  const canLoad = state.status === "idle" && state.items.length > 0;
  useEffect(() => {
    const element = mark.current;
    if (!element || !canLoad) return;
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && void list.loadNext(),
      {
        rootMargin: AHEAD,
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [canLoad, list]);
  if (state.status === "error") {
    return (
      <button
        type="button"
        className="user-chip"
        aria-label="继续加载用户"
        onClick={() => void list.loadNext()}
      >
        <span className="user-face is-retry">
          <IconRefresh stroke={1.75} aria-hidden="true" />
        </span>
        重试
      </button>
    );
  }
  if (state.items.length === 0) {
    return Array.from({ length: FIRST_SKELETONS }, (_, index) => (
      <span key={index} className="user-chip" aria-hidden="true">
        <i className="skeleton user-face" />
      </span>
    ));
  }
  return <i ref={mark} className="user-strip-mark" aria-hidden="true" />;
}
