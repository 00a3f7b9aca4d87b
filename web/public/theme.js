// Runs before the first paint so that a chosen theme never flashes the other one. Without a choice
// the system decides.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked in some frames and private windows: the system's theme stays.
}

// Style sheets that the network loses are noted, so that the application can ask for them again
// (`src/shared/load-code.ts`). A sheet that is still on its way looks the same otherwise.
window.lostSheets = [];
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet")
      window.lostSheets.push(target);
  },
  true,
);
