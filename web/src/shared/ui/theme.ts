import { THEME } from "@/shared/storage/entries.ts";
import { remove, write } from "@/shared/storage/registry.ts";

export type Theme = "dark" | "light" | "system";

/**
 * Choose a theme for this and later visits. `public/theme.js` applies it before the first paint of
 * the next one.
 */
export function setTheme(theme: Theme): void {
  if (theme === "system") {
    remove(THEME);
    delete document.documentElement.dataset.theme;
    return;
  }
  write(THEME, theme);
  document.documentElement.dataset.theme = theme;
}

/** The theme that is drawn now. */
export function drawnTheme(): Exclude<Theme, "system"> {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "dark" || chosen === "light") return chosen;
  return window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}
