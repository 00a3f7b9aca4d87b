// Draws the largest picture of a first screen before the application's code has arrived, in the
// place where the application will draw it: a video's poster, home's first banner, a list's first
// cover. A second visit does not need it: the service worker then decrypts pictures, and the code is
// cached.
{
  const boot = JSON.parse(document.getElementById("boot")?.textContent || "{}");
  const page = location.pathname;
  const video = page === "/playVideo" && Object.values(boot.answers ?? {})[0];
  // A box of the prerendered page, and the application's picture that will stand there.
  const [box, own] =
    page === "/list" ? [".tile-skeleton .cover", ".chunk .cover img"] : [".slide", ".slide img"];
  const place = page !== "/playVideo" && document.querySelector(box);
  const sealed = (video || place) && boot.sealed;
  // A document that the browser kept may be hours old: the application asks anew, too.
  const isKept = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  const open = async () => {
    const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
    // Mark, version, algorithm and key id; nonce; ciphertext (docs/product.md#covers).
    const raw = Uint8Array.from(atob(boot.config.cover_keys[bytes[4]]), (character) =>
      character.charCodeAt(0),
    );
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
    const cipher = {
      name: "AES-GCM",
      iv: bytes.subarray(5, 17),
      additionalData: bytes.subarray(0, 5),
    };
    const [type] = boot.pictures[0].type.split(";");
    return new Blob([await crypto.subtle.decrypt(cipher, key, bytes.subarray(17))], { type });
  };
  const draw = async (picture, blob) => {
    picture.src = URL.createObjectURL(await blob);
    await picture.decode();
    URL.revokeObjectURL(picture.src);
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  };
  if (sealed && !isKept && window.crypto?.subtle && !navigator.serviceWorker?.controller) {
    const picture = Object.assign(new Image(), { id: "first-picture", alt: "" });
    if (video) picture.dataset.portrait = String(video.height > video.width);
    else {
      const { left, top, width, height } = place.getBoundingClientRect();
      const { borderRadius } = getComputedStyle(place);
      picture.dataset.place = "box";
      const pixels = { left, top, width, height };
      for (const [side, value] of Object.entries(pixels)) picture.style[side] = `${value}px`;
      picture.style.borderRadius = borderRadius;
      // It goes when the application has drawn its own, shows another screen, or its place moves.
      const [wide, end] = [innerWidth, Date.now() + 10_000];
      const pages = new Set([page, page === "/" ? "/home" : page]);
      const isDrawn = () => {
        const drawn = document.querySelector(own);
        return drawn?.classList.contains("is-drawn") && getComputedStyle(drawn).opacity === "1";
      };
      const watch = () => {
        const isHere = pages.has(location.pathname) && innerWidth === wide;
        if (!isHere || isDrawn() || Date.now() > end) picture.remove();
        else requestAnimationFrame(watch);
      };
      watch();
    }
    document.body.prepend(picture);
    const blob = open();
    const drawn = draw(picture, blob).catch(() => picture.remove());
    // The application begins then; what takes longer delays nothing.
    const painted = Promise.race([drawn, new Promise((over) => setTimeout(over, 100))]);
    // For the application, which draws the same picture.
    const address = boot.config.media_base + boot.pictures[0].url;
    window.firstPicture = { opened: { [address]: blob.catch(() => undefined) }, painted };
  }
}
