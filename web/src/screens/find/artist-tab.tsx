import { ArtistGrid } from "@/features/catalogue-index/artist-grid.tsx";
import { useAnswer } from "@/shared/answers/use-answer.ts";
import { listArtists } from "@/shared/api/discovery-calls.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { WaitingAnswer } from "./waiting-answer.tsx";

/** `/find/artist`: every artist by initial. */
export function ArtistTab() {
  const answer = useAnswer("artists", listArtists);
  return (
    <div className="index-body">
      <WaitingAnswer answer={answer}>
        {(artists) =>
          artists.length > 0 ? (
            <ArtistGrid artists={artists} />
          ) : (
            <StatePanel title="这里还没有人" />
          )
        }
      </WaitingAnswer>
    </div>
  );
}
