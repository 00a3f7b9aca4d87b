// Draws a video's poster before the application's code has arrived, in the place where the
// application will draw it. A second visit does not need it: the service worker then decrypts
// pictures, and the code is cached.
if (
  location.pathname === "/playVideo" &&
  window.crypto?.subtle &&
  !navigator.serviceWorker?.controller
) {
  const boot = JSON.parse(document.getElementById("boot")?.textContent || "{}");
  const sealed = boot.pictures?.[0]?.url;
  const video = Object.values(boot.answers ?? {})[0];
  const draw = async (picture) => {
    const bytes = new Uint8Array(
      await (await fetch(boot.config.media_base + sealed)).arrayBuffer(),
    );
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
    picture.src = URL.createObjectURL(
      new Blob([await crypto.subtle.decrypt(cipher, key, bytes.subarray(17))]),
    );
  };
  if (sealed) {
    const picture = Object.assign(new Image(), { id: "first-picture", alt: "" });
    picture.dataset.portrait = String(video.height > video.width);
    document.body.prepend(picture);
    const remove = () => picture.remove();
    picture.addEventListener("error", remove);
    picture.addEventListener("load", () => URL.revokeObjectURL(picture.src));
    draw(picture).catch(remove);
  }
}
