import { useWindowWidth } from "./window-width.ts";

/**
 * Class of the window's width (specification §1): 1024 or wider is pc, 768 or wider tablet,
 * otherwise phone.
 */
export type DeviceClass = "phone" | "tablet" | "pc";

export const TABLET_WIDTH = 768;
export const PC_WIDTH = 1024;

/** The class of a width in CSS pixels. */
export function deviceClassOf(width: number): DeviceClass {
  if (width >= PC_WIDTH) return "pc";
  return width >= TABLET_WIDTH ? "tablet" : "phone";
}

/** The window's class, kept up to date. */
export function useDeviceClass(): DeviceClass {
  return useWindowWidth(deviceClassOf, "phone");
}
