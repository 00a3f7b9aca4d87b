import "@/shared/ui/tiles.css";
import { grouped } from "@/shared/format/amount.ts";

interface TileData {
  readonly name: string;
  /** A number is grouped; a text stands as it is. */
  readonly value: number | string;
}

/** Figures side by side, as many as fit. */
export function Tiles({
  label,
  tiles,
}: {
  readonly label: string;
  readonly tiles: readonly TileData[];
}) {
  return (
    <dl className="tiles" aria-label={label}>
      {tiles.map(({ name, value }) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          <dd>{typeof value === "number" ? grouped(value) : value}</dd>
        </div>
      ))}
    </dl>
  );
}
