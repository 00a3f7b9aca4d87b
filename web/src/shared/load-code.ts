"use no memo"; // Not a component: there is nothing for the compiler here.

/** Delays before code is requested again, milliseconds. */
const RETRY_AFTER_MS = [400, 1600];

/**
 * Loads a part of the application, retrying if the network lost one of its files: a module, or a
 * style sheet that belongs to it.
 *
 * @throws What the last attempt failed with.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  let attempt = load;
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await attempt();
    } catch (error) {
      console.warn(error);
    }
    await new Promise((resume) => setTimeout(resume, wait));
    // A style sheet lost again is one more failed attempt.
    attempt = async () => {
      await mendStyles();
      return load();
    };
  }
  return attempt();
}

declare global {
  interface Window {
    /** Style sheets that failed to load: `public/theme.js` records them from the first one on. */
    lostSheets?: HTMLLinkElement[];
  }
}

/**
 * Requests the lost style sheets again. The bundler's loader requests each only once: another
 * import of the same module would continue without them.
 *
 * @throws {Error} Where one does not come this time either.
 */
export async function mendStyles(): Promise<void> {
  const lost = window.lostSheets?.splice(0) ?? [];
  await Promise.all(lost.filter((link) => link.isConnected).map(replaceSheet));
}

function replaceSheet(lost: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = lost.href;
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(`no style sheet ${link.href}`)));
    // In the same place: the order of style sheets decides between rules.
    lost.replaceWith(link);
  });
}
