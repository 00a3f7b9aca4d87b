import { createRoot } from "react-dom/client";
import { confirmAge, isAgeConfirmed } from "@/shared/api/age.ts";
import { ApiError } from "@/shared/api/client.ts";
import type { AgeGate, RuntimeConfig } from "@/shared/api/model.ts";
import {
  currentLocation,
  historyDepth,
  navigate,
  onNavigation,
} from "@/shared/navigation/history.ts";
import { queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { AgeQuestion } from "./age-question.tsx";
import { fetchGatedPlay, fillCovers, gatedItems } from "./gated-answers.ts";
import { giveKeys } from "./gated-keys.ts";

const FORBIDDEN = 403;
const UNSAID = "请先确认年龄";
const PLAY = /^\/api\/videoplay\/(\d+)/;
/** Screens that are nothing without a gated video's path: the question is asked there. */
const isAsking = (pathname: string) => /^\/(playVideo|miin)/.test(pathname);

/**
 * The age gate, where the site has one: completes every answer that tells of gated videos, once the
 * visitor has said his age, and asks him where he cannot go on without.
 *
 * @returns What every answer passes before the page sees it.
 */
export function createAgeGate(
  config: RuntimeConfig,
  { text, title, covers_site: isWhole }: AgeGate,
): (address: string, answer: unknown) => Promise<unknown> {
  let asking: Promise<void> | null = null;
  const ask = () => {
    asking ??= answered({ title, text, isWhole }).finally(() => {
      asking = null;
    });
    return asking;
  };
  // The document brought home's answers, which are everybody's.
  const renewHome = () => queryCache.invalidate(queryKeys.home);
  if (isAgeConfirmed()) renewHome();
  else if (isWhole) void ask().then(renewHome, () => {});

  return async (address, answer) => {
    const items = gatedItems(answer);
    if (items.length === 0) return answer;
    const isPlay = PLAY.test(address);
    if (!isAgeConfirmed()) {
      // What a touch asks for ahead waits until the page that needs it is there.
      if (isPlay && !isWhole) await arrival();
      if (isWhole || isAsking(currentLocation().pathname)) await ask();
      else return answer;
    }
    if (isPlay) {
      const { keys, play } = await fetchGatedPlay(items[0]?.id ?? 0);
      giveKeys(config, keys);
      return play;
    }
    try {
      giveKeys(config, await fillCovers(items));
    } catch (error) {
      console.warn(error); // The list is readable without.
    }
    return answer;
  };
}

/** Resolves on a screen where the question is asked. */
function arrival(): Promise<void> {
  return new Promise((resolve) => {
    if (isAsking(currentLocation().pathname)) return resolve();
    const stop = onNavigation(() => {
      if (!isAsking(currentLocation().pathname)) return;
      stop();
      resolve();
    });
  });
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Asks the visitor.
 *
 * @throws ApiError where he leaves.
 */
function answered({ title, text, isWhole }: Question): Promise<void> {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  return new Promise((resolve, reject) => {
    const close = () => {
      stop();
      root.unmount();
      place.remove();
    };
    const refuse = () => {
      close();
      reject(new ApiError(UNSAID, FORBIDDEN));
    };
    const confirm = () => {
      confirmAge();
      close();
      if (!isWhole) renewWhenLeaving();
      resolve();
    };
    const leave = () => {
      if (isWhole) return window.location.replace("about:blank");
      refuse();
      if (historyDepth() > 0) navigate(-1);
      else navigate("/home", { replace: true });
    };
    // The browser's back button leaves, too.
    const stop = onNavigation(() => {
      if (!isWhole && !isAsking(currentLocation().pathname)) refuse();
    });
    root.render(
      <AgeQuestion
        title={title}
        text={text}
        isWhole={isWhole}
        onConfirm={confirm}
        onLeave={leave}
      />,
    );
  });
}

/** Lists that were drawn before have no covers: the first screen behind the video starts afresh. */
function renewWhenLeaving(): void {
  onNavigation(() => {
    if (!isAsking(currentLocation().pathname)) window.location.reload();
  });
}
