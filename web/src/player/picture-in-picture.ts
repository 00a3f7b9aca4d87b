/** Whether the picture can float above other windows. */
export function canFloat(): boolean {
  return document.pictureInPictureEnabled === true;
}

/** Enters or leaves picture-in-picture. A refusal is only logged. */
export async function toggleFloating(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch (error) {
    console.info("画中画不可用", error);
  }
}
