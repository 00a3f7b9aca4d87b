import { useEffect, useState } from "react";

/**
 * What follows typing waits this long for the next sign by default, milliseconds (specification
 * §9).
 */
export const DEBOUNCE_MS = 1000;

/** A value once it has rested. */
export function useDebounced<T>(value: T, wait = DEBOUNCE_MS): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return rested;
}
