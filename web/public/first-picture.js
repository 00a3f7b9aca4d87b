// Draws the largest picture of a first screen before the application's code has arrived, in the
// place where the application will draw it: a video's poster, home's first banner. A second visit
// does not need it: the service worker then decrypts pictures, and the code is cached.
{
  const boot = JSON.parse(document.getElementById("boot")?.textContent || "{}");
  const page = location.pathname;
  const video = page === "/playVideo" && Object.values(boot.answers ?? {})[0];
  // The prerendered boxes stand as the content will where there are tags and banners.
  const isBanner = boot.home?.banners[0] && boot.home.banners[0].imgpath === boot.pictures[0]?.url;
  const slide =
    page !== "/playVideo" &&
    isBanner &&
    boot.home.banner_tags[0] &&
    document.querySelector(".slide");
  const sealed = (video || slide) && boot.sealed;
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
  if (sealed && window.crypto?.subtle && !navigator.serviceWorker?.controller) {
    const picture = Object.assign(new Image(), { id: "first-picture", alt: "" });
    if (video) picture.dataset.portrait = String(video.height > video.width);
    else {
      const { left, top, width } = slide.getBoundingClientRect();
      picture.dataset.place = "banner";
      Object.assign(picture.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
      // It goes when the application has drawn its own, shows another screen, or its place moves.
      const [wide, end] = [innerWidth, Date.now() + 10_000];
      const watch = () => {
        const isHome = location.pathname === page || location.pathname === "/home";
        const isDrawn = document.querySelector(".slide .is-drawn");
        if (isDrawn || !isHome || innerWidth !== wide || Date.now() > end) picture.remove();
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
