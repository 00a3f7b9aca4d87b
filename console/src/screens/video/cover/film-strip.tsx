import { useQuery } from "@tanstack/react-query";
import { type Small, smallPictures, spread } from "@/screens/video/cover/storyboard.ts";
import { clock } from "@/shared/format/clock.ts";

const MOST = 12;
const HEIGHT = 64;

/** Pictures of the film in a row; one is chosen by a tap. Nothing where the film has none. */
export function FilmStrip({
  address,
  onChoose,
}: {
  readonly address: string;
  /** Is told the moment in milliseconds. */
  readonly onChoose: (at: number) => void;
}) {
  const pictures = useQuery({
    queryKey: ["storyboard", address],
    queryFn: ({ signal }) => fetchSmall(address, signal),
    enabled: address !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!pictures.data?.length) return null;
  return (
    <ul className="strip" aria-label="影片里的画面">
      {spread(pictures.data, MOST).map((one) => (
        <li key={one.start}>
          <button
            type="button"
            className="strip-picture"
            aria-label={`用 ${clock(one.start * 1000)} 的画面作封面`}
            onClick={() => {
              onChoose(one.start * 1000);
            }}
          >
            <SmallPicture picture={one} />
            <span className="cover-time" aria-hidden="true">
              {clock(one.start * 1000)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function SmallPicture({ picture }: { readonly picture: Small }) {
  const { sheet, x, y, width, height } = picture;
  return (
    <span
      className="strip-sheet"
      style={{
        width,
        height,
        backgroundImage: `url("${sheet}")`,
        backgroundPosition: `${-x}px ${-y}px`,
        zoom: HEIGHT / height,
      }}
    />
  );
}

async function fetchSmall(address: string, signal: AbortSignal): Promise<readonly Small[]> {
  const answer = await fetch(address, { signal, headers: { "x-background": "1" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return smallPictures(await answer.text(), answer.url);
}
