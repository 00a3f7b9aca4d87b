import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { ApiError } from "@/shared/api/client.ts";
import { send } from "@/shared/api/send.ts";
import { useConfig } from "@/shared/config/config.ts";
import { navigate } from "@/shared/navigation/history.ts";
import { takeCode, takeReturnPath } from "@/shared/partner/arrival.ts";
import { arrival } from "@/shared/partner/departure.ts";
import { type ExchangePhase, exchange } from "@/shared/partner/exchange.ts";
import { beginSession, endSessionsInTime } from "@/shared/partner/session.ts";

const UNAUTHORIZED = 401;

/** Whether a code is being exchanged, and whether that failed for lack of an answer. */
export interface Exchange {
  readonly isRunning: boolean;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/**
 * Exchanges the code from the address for a session, then continues to where the visitor wanted to
 * go.
 */
export function useExchange(): Exchange {
  // Only read here: a discarded rendering must not consume the code.
  const [code] = useState(() => arrival.code);
  const [attempt, setAttempt] = useState(0);
  const { isAuthRequired } = useConfig();
  const phase = useStore(exchange, (state) => state.phase);
  useEffect(() => {
    takeCode();
    if (code === null) return;
    const move = (next: ExchangePhase) => exchange.setState({ phase: next });
    move("running");
    const life = new AbortController();
    const run = async () => {
      try {
        const { token, xbbBonus } = await send(
          "post",
          "/api/vendor/exchange",
          { code },
          life.signal,
        );
        beginSession(token, xbbBonus);
        if (!isAuthRequired) endSessionsInTime();
        move("idle");
        navigate(takeReturnPath(), { replace: true });
      } catch (error) {
        if (life.signal.aborted) return;
        // The call itself has said why in the address (specification §8).
        move(error instanceof ApiError && error.code === UNAUTHORIZED ? "refused" : "failed");
      }
    };
    void run();
    return () => life.abort();
  }, [code, attempt, isAuthRequired]);
  const retry = () => setAttempt(attempt + 1);
  const isOver = code === null || phase === "failed" || phase === "refused";
  return { isRunning: !isOver, isFailed: phase === "failed", retry };
}
