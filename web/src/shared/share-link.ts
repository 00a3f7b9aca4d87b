/** How sharing ended. A visitor who closes the system's sheet has decided, not failed. */
export type ShareResult = "shared" | "copied" | "failed" | "dismissed";

/** What sharing needs of the browser. */
export interface ShareAbilities {
  share?: (data: { title: string; url: string }) => Promise<void>;
  writeText?: (text: string) => Promise<void>;
  /** The old way, which also works on plain HTTP. */
  copyBySelection: (text: string) => boolean;
}

/** Offers the system's share sheet where there is one, otherwise copies the address. */
export async function shareLink(
  title: string,
  url: string,
  abilities: ShareAbilities,
): Promise<ShareResult> {
  if (abilities.share) {
    try {
      await abilities.share({ title, url });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "dismissed";
    }
  }
  return (await copyText(url, abilities)) ? "copied" : "failed";
}

/**
 * Copies a text to the clipboard, the new way or the old. @returns whether it worked.
 */
export async function copyText(
  text: string,
  abilities: Omit<ShareAbilities, "share">,
): Promise<boolean> {
  try {
    await abilities.writeText?.(text);
    if (abilities.writeText) return true;
  } catch {
    // Frames and old browsers refuse the clipboard; the selection may still work.
  }
  return abilities.copyBySelection(text);
}

/** The running browser's abilities. Desktops get the clipboard: their share sheets are rarely useful. */
export function shareAbilities(): ShareAbilities {
  const isTouch = matchMedia("(pointer: coarse)").matches;
  return {
    ...(isTouch && "share" in navigator ? { share: (data) => navigator.share(data) } : {}),
    ...(navigator.clipboard ? { writeText: (text) => navigator.clipboard.writeText(text) } : {}),
    copyBySelection,
  };
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;opacity:0";
  // Nothing outside a modal dialog can be selected.
  (document.querySelector("dialog:modal") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
