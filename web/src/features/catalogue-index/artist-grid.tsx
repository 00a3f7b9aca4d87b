import "./catalogue-index.css";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { groupArtists } from "./artist-index.ts";
import { Avatar } from "./avatar.tsx";

/** From here on the letters at the edge save more than they cover. */
const INDEXED_FROM = 13;

const cardId = (initial: string) => `artists-${initial === "#" ? "others" : initial}`;

/** Every artist by initial; where they are many, with the letters at the edge to jump by. */
export function ArtistGrid({ artists }: { readonly artists: readonly Artist[] }) {
  const groups = groupArtists(artists);
  const jump = (initial: string) => document.getElementById(cardId(initial))?.scrollIntoView();
  return (
    <>
      <div className="artist-grid">
        {groups.flatMap(({ initial, artists: members }) =>
          members.map((artist, index) => (
            <Link
              key={artist.id}
              id={index === 0 ? cardId(initial) : undefined}
              className="artist-card"
              to={`/artist-details?id=${artist.id}`}
            >
              <span className="artist-picture">
                <Avatar artist={artist} />
              </span>
              <b>{artist.name}</b>
              <small>{artist.videoCount} 个视频</small>
            </Link>
          )),
        )}
      </div>
      {artists.length >= INDEXED_FROM && groups.length > 1 && (
        <nav className="artist-letters" aria-label="按首字母跳转">
          {groups.map(({ initial }) => (
            <button key={initial} type="button" onClick={() => jump(initial)}>
              {initial}
            </button>
          ))}
        </nav>
      )}
    </>
  );
}
