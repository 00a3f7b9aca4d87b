import { useEffect, useState } from "react";

/** Default delay for reactions to typing, milliseconds (specification §9). */
export const DEBOUNCE_MS = 1000;

/** A value once it has stopped changing. */
export function useDebounced<T>(value: T, wait = DEBOUNCE_MS): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return rested;
}
