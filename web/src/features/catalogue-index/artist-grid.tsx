import "./catalogue-index.css";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { Avatar } from "@/shared/ui/avatar.tsx";
import { findArtists, groupArtists } from "./artist-index.ts";

/**
 * From so many artists on, the field saves scrolling, and the letters at the edge save more than
 * they cover.
 */
const INDEXED_FROM = 13;

const cardId = (initial: string) => `artists-${initial === "#" ? "others" : initial}`;

/**
 * Every artist by initial. If there are many, a field finds one and the letters at the edge jump.
 */
export function ArtistGrid({ artists }: { readonly artists: readonly Artist[] }) {
  const [text, setText] = useState("");
  const isLong = artists.length >= INDEXED_FROM;
  const found = findArtists(artists, text);
  const groups = groupArtists(found);
  const jump = (initial: string) => document.getElementById(cardId(initial))?.scrollIntoView();
  return (
    <>
      {isLong && (
        <search className="artist-search">
          <IconSearch size={18} stroke={2} aria-hidden="true" />
          <input
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-label="查找女优"
            placeholder="输入名字或首字母"
            maxLength={64}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </search>
      )}
      {found.length === 0 && (
        <p className="artist-none" role="status">
          没有找到“{text.trim()}”
        </p>
      )}
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
      {isLong && groups.length > 1 && (
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
