import { type ComponentType, lazy } from "react";
import { loadCode } from "../load-code.ts";

const NOTHING = () => null;

/**
 * A part without which its screen still stands: where its code does not come, nothing is drawn.
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
