import { ArtistGrid } from "@/features/catalogue-index/artist-grid.tsx";
import { listArtists } from "@/shared/api/discovery-calls.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { WaitingData } from "./waiting-data.tsx";

/** `/find/artist`: every artist by initial. */
export function ArtistTab() {
  const artists = useQuery({ key: queryKeys.artists, load: listArtists });
  return (
    <div className="index-body">
      <WaitingData query={artists}>
        {(all) =>
          all.length > 0 ? <ArtistGrid artists={all} /> : <StatePanel title="这里还没有人" />
        }
      </WaitingData>
    </div>
  );
}
