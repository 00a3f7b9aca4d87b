import "./catalogue-index.css";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { groupArtists } from "./artist-index.ts";
import { Avatar } from "./avatar.tsx";

const sectionId = (initial: string) => `artists-${initial === "#" ? "others" : initial}`;

/** Every artist by initial, with the letters at the edge to jump by. */
export function ArtistGrid({ artists }: { readonly artists: readonly Artist[] }) {
  const groups = groupArtists(artists);
  const jump = (initial: string) => document.getElementById(sectionId(initial))?.scrollIntoView();
  return (
    <div className="artist-index">
      <div className="artist-groups">
        {groups.map(({ initial, artists: members }) => (
          <section key={initial} id={sectionId(initial)} className="artist-group" aria-label={initial}>
            <h2>{initial}</h2>
            <div className="artist-grid">
              {members.map((artist) => (
                <Link key={artist.id} className="artist-card" to={`/artist-details?id=${artist.id}`}>
                  <span className="artist-picture">
                    <Avatar artist={artist} />
                  </span>
                  <b>{artist.name}</b>
                  <small>{artist.videoCount} 个视频</small>
                </Link>
              ))}
            </div>
          </section>
        ))}
      </div>
      {groups.length > 1 && (
        <nav className="artist-letters" aria-label="按首字母跳转">
          {groups.map(({ initial }) => (
            <button key={initial} type="button" onClick={() => jump(initial)}>
              {initial}
            </button>
          ))}
        </nav>
      )}
    </div>
  );
}
