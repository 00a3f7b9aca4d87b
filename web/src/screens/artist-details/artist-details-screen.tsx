import "@/features/list/list.css";
import { Avatar } from "@/shared/ui/avatar.tsx";
import "@/features/catalogue-index/catalogue-index.css";
import { useState } from "react";
import { VideoResults } from "@/features/list/video-results.tsx";
import { listArtists, listArtistVideos } from "@/shared/api/discovery-calls.ts";
import { DEFAULT_SORT_ORDER, SORT_ORDERS, type SortOrder } from "@/shared/api/sort-orders.gen.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { Segments } from "@/shared/ui/segments.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** `/artist-details?id=`: an artist and the artist's videos. */
export function ArtistDetailsScreen() {
  const [params] = useSearchParams();
  const id = Number(/^\d{1,9}$/.exec(params.get("id") ?? "")?.[0] ?? 0);
  const [orderby, setOrder] = useState<SortOrder>(DEFAULT_SORT_ORDER);
  const { data: artists } = useQuery({ key: queryKeys.artists, load: listArtists });
  const artist = artists?.find((entry) => entry.id === id);
  const title = artist?.name ?? "作者";
  useTitle(title);
  if (artists && !artist) {
    return (
      <>
        <NavBar title={title} />
        <NoVideos title="没有这位作者" />
      </>
    );
  }
  return (
    <>
      <NavBar title={title} />
      <div className="list-body">
        {artist && (
          <div className="artist-head">
            <span className="artist-picture is-large">
              <Avatar artist={artist} />
            </span>
            <div>
              <b>{artist.name}</b>
              <small>{artist.videoCount} 个视频</small>
              {artist.intro && <p>{artist.intro}</p>}
            </div>
          </div>
        )}
        <Segments label="排序" options={SORT_ORDERS} value={orderby} onChange={setOrder} />
        <VideoResults
          key={`${id} ${orderby}`}
          load={(page, signal, place) => listArtistVideos(id, { orderby, page, ...place }, signal)}
          head={() => <div className="artist-list-gap" />}
          empty={<NoVideos title="这里还没有视频" />}
        />
      </div>
    </>
  );
}

function NoVideos({ title }: { readonly title: string }) {
  return (
    <StatePanel
      title={title}
      action={
        <Link className="button button-primary" to="/find/artist">
          看看其他人
        </Link>
      }
    />
  );
}
