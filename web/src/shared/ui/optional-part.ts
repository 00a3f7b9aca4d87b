"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import {
  type ComponentType,
  createElement,
  type ReactNode,
  startTransition,
  useEffect,
  useState,
} from "react";
import { loadCode } from "../load-code.ts";

/**
 * An optional part of a screen: until its code arrives, and if it does not, nothing is drawn. Unlike
 * React's `lazy` it remembers no failure: whenever it is drawn anew, it tries again.
 *
 * @param onLost - Told of it; a failure is logged in any case.
 */
export function optionalPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  onLost?: () => void,
): (props: P) => ReactNode {
  let arrived: ComponentType<P> | undefined;
  return function OptionalPart(props) {
    const [Part, setPart] = useState(() => arrived);
    useEffect(() => {
      const fetchPart = async () => {
        try {
          arrived ??= await loadCode(load);
          // As a transition, in slices: a part of home is no reason to keep touches waiting.
          startTransition(() => setPart(() => arrived));
        } catch (error) {
          console.warn(error);
          onLost?.();
        }
      };
      void fetchPart();
    }, []);
    return Part && createElement(Part, props);
  };
}
