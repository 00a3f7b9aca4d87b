let element: HTMLVideoElement | null = null;

/**
 * The site's single `<video>` element for full playback. It is reused from video to video: phones
 * that allow sound only after a gesture remember that gesture for the element, not for the page.
 */
export function stageVideo(): HTMLVideoElement {
  element ??= createVideo();
  return element;
}

/**
 * A `<video>` element that in-app browsers leave inside the page; it is in the document only where
 * it was put.
 */
export function createVideo(): HTMLVideoElement {
  const video = document.createElement("video");
  video.preload = "auto";
  video.playsInline = true;
  video.tabIndex = -1;
  // In-app browsers (WeChat, QQ, UC) move a video into their own player unless told not to.
  for (const name of ["webkit-playsinline", "x5-playsinline", "x-webkit-airplay"])
    video.setAttribute(name, "true");
  video.setAttribute("x5-video-player-type", "h5-page");
  video.setAttribute("x-webkit-airplay", "allow");
  return video;
}
