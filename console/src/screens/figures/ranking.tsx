import { Link } from "@tanstack/react-router";
import type { VideoCount } from "@/shared/api/types.ts";
import { grouped } from "@/shared/format/amount.ts";
import { Empty } from "@/shared/ui/state.tsx";

interface RankingProps {
  readonly title: string;
  /** What stands there where nothing was counted. */
  readonly empty: string;
  readonly counts: readonly VideoCount[];
}

/** The first videos by a count of the period. */
export function Ranking({ title, empty, counts }: RankingProps) {
  return (
    <section className="card" aria-label={title}>
      <h2 className="card-title">{title}</h2>
      {counts.length === 0 ? <Empty>{empty}</Empty> : null}
      <ol className="rows">
        {counts.map(({ id, title: name, count }, index) => (
          <li key={id}>
            <span className="rank">{index + 1}</span>
            <Link
              to="/videos/$id"
              params={{ id: String(id) }}
              search={{ part: "figures" }}
              className="row-text row-link"
            >
              {name}
            </Link>
            <span className="amount">{grouped(count)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
