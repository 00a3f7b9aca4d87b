"use no memo"; // No component: the compiler has nothing to do here.

/** Waits before code is asked for again, milliseconds. */
const RETRY_AFTER_MS = [400, 1600];

/**
 * Loads a piece of the application, again where the network lost one of its files: a module, or a
 * style sheet that goes with it.
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
    // A sheet that is lost once more is one more failed attempt.
    attempt = async () => {
      await mendStyles();
      return load();
    };
  }
  return attempt();
}

declare global {
  interface Window {
    /** Style sheets that did not come: `public/theme.js` notes them from the first one on. */
    lostSheets?: HTMLLinkElement[];
  }
}

/**
 * Asks again for the style sheets that did not come. The bundler's loader asks for each once: a
 * second import of the same module would go on without them.
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
    // In its place: the order of style sheets decides between rules.
    lost.replaceWith(link);
  });
}
