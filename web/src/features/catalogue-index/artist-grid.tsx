import "./catalogue-index.css";
import { IconSearch } from "@tabler/icons-react";
import { type CSSProperties, memo, useDeferredValue, useState } from "react";
import type { Artist } from "@/shared/api/discovery-calls.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { Avatar } from "@/shared/ui/avatar.tsx";
import { findArtists, groupArtists } from "./artist-index.ts";
import { LetterColumn } from "./letter-column.tsx";

/**
 * From so many artists on, the field saves scrolling, and the letters at the edge save more than
 * they cover.
 */
const INDEXED_FROM = 13;

/** Cards in a row of a phone, as in the style sheet. */
const COLUMNS = 3;

const sectionId = (initial: string) => `artists-${initial === "#" ? "others" : initial}`;

/**
 * Every artist by initial. If there are many, a field finds one and the letters at the edge jump.
 */
export function ArtistGrid({ artists }: { readonly artists: readonly Artist[] }) {
  const [text, setText] = useState("");
  // Thousands of cards follow in slices; what is typed appears at once.
  const wanted = useDeferredValue(text);
  return (
    <>
      {artists.length >= INDEXED_FROM && (
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
      <FoundArtists artists={artists} text={wanted} />
    </>
  );
}

interface FoundArtistsProps {
  readonly artists: readonly Artist[];
  readonly text: string;
}

/** Rendered again only for another text: the field above it changes with every letter. */
const FoundArtists = memo(function FoundArtists({ artists, text }: FoundArtistsProps) {
  const found = findArtists(artists, text);
  const groups = groupArtists(found);
  if (found.length === 0) {
    return (
      <p className="artist-none" role="status">
        没有找到“{text.trim()}”
      </p>
    );
  }
  if (found.length < INDEXED_FROM) {
    return (
      <div className="artist-grid">
        {groups.flatMap(({ artists: members }) => members.map(cardOf))}
      </div>
    );
  }
  return (
    <>
      {groups.map(({ initial, artists: members }) => (
        <section
          key={initial}
          id={sectionId(initial)}
          className="artist-section"
          style={sizeOf(members.length)}
        >
          <h2>{initial}</h2>
          <div className="artist-grid">{members.map(cardOf)}</div>
        </section>
      ))}
      {groups.length > 1 && (
        <LetterColumn letters={groups.map(({ initial }) => initial)} onChoose={jump} />
      )}
    </>
  );
});

const jump = (initial: string) => document.getElementById(sectionId(initial))?.scrollIntoView();

/** From which the style sheet computes the height of a section that was never laid out. */
const sizeOf = (count: number) =>
  ({ "--count": count, "--phone-rows": Math.ceil(count / COLUMNS) }) as CSSProperties;

const cardOf = (artist: Artist) => (
  <Link key={artist.id} className="artist-card" to={`/artist-details?id=${artist.id}`}>
    <span className="artist-picture">
      <Avatar artist={artist} />
    </span>
    <b>{artist.name}</b>
    <small>{artist.videoCount} 个视频</small>
  </Link>
);
