import { type ComponentType, lazy } from "react";
import { loadCode } from "../load-code.ts";

const NOTHING = () => null;

/**
 * An optional part of a screen: if its code does not arrive, nothing is drawn.
 *
 * @param onLost - Told of it; a failure is logged in any case.
 */
export function optionalPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  onLost?: () => void,
) {
  return lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await loadCode(load) };
    } catch (error) {
      console.warn(error);
      onLost?.();
      return { default: NOTHING };
    }
  });
}
