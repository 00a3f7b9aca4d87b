import "./avatar.css";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { Cover } from "@/shared/covers/cover.tsx";

/** Ground colours for artists without a portrait; `avatar.css` has one hue for each. */
const GROUNDS = 8;

/** An artist's portrait; without one, the first character of the name. */
export function Avatar({ artist }: { readonly artist: Pick<Artist, "id" | "name" | "image"> }) {
  if (artist.image.url) return <Cover picture={artist.image} ratio="fill" className="avatar" />;
  return (
    <span className="avatar-initial" data-ground={artist.id % GROUNDS} aria-hidden="true">
      {Array.from(artist.name)[0]}
    </span>
  );
}
