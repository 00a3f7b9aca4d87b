// Runs before the first paint so that a chosen theme never flashes the other one. Without a choice
// the system decides.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked in some frames and private windows: the system's theme stays.
}
