// Runs before the first paint so that a chosen theme never flashes the other one. Without a choice
// the system decides.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked in some frames and private windows: the system's theme stays.
}

// Records style sheets that failed to load, so that the application can request them again
// (`src/shared/load-code.ts`). Otherwise they cannot be told from sheets that are still loading.
window.lostSheets = [];
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet")
      window.lostSheets.push(target);
  },
  true,
);
