import type { Site } from "@/shared/api/model.ts";

/** In place of the name in prerendered markup; the server replaces it. */
export const NAME_MARK = "{{site.name}}";

let site: Site = {
  name: NAME_MARK,
  slogan: "",
  footer: "",
  contact: "",
  logo: "",
  icon: "",
};

/** Call once, before anything is drawn. */
export function setSite(given: Site): void {
  site = given;
}

/** The site's own name, texts and pictures, as its operator set them. */
export function siteIdentity(): Site {
  return site;
}
