import "@/shared/ui/bars.css";
import type { Count } from "@/shared/api/types.ts";
import { grouped } from "@/shared/format/amount.ts";
import { hour } from "@/shared/format/moment.ts";
import { Empty } from "@/shared/ui/state.tsx";

const HOUR_LABELS = 6;
const DAY_LABELS = 7;
const DENSE = 7;

interface BarsProps {
  readonly counts: readonly Count[];
  readonly unit: "hour" | "day";
  /** What is counted: 播放. */
  readonly name?: string;
  /** What stands there where nothing was counted. */
  readonly empty: string;
}

/** A bar for each hour or day; whoever does not see them reads a table. */
export function Bars({ counts, unit, name = "播放", empty }: BarsProps) {
  const most = Math.max(0, ...counts.map(({ count }) => count));
  if (most === 0) return <Empty>{empty}</Empty>;
  const every = Math.max(
    1,
    Math.ceil(counts.length / (unit === "hour" ? HOUR_LABELS : DAY_LABELS)),
  );
  return (
    <figure className="bars">
      <p className="row-meta">最多 {grouped(most)} 次</p>
      <div className="bars-plot" data-dense={counts.length > DENSE} aria-hidden="true">
        {counts.map(({ moment, count }, index) => (
          <span key={moment} title={`${nameOf(moment, unit)}：${grouped(count)} 次`}>
            <i data-none={count === 0} style={{ blockSize: `${(100 * count) / most}%` }} />
            <small>{index % every === 0 ? nameOf(moment, unit) : ""}</small>
          </span>
        ))}
      </div>
      <table className="sr-only">
        <thead>
          <tr>
            <th scope="col">{unit === "hour" ? "小时" : "日期"}</th>
            <th scope="col">{name}</th>
          </tr>
        </thead>
        <tbody>
          {counts.map(({ moment, count }) => (
            <tr key={moment}>
              <th scope="row">{nameOf(moment, unit)}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** `2026-12-01T08:00` as the hour that it is here, `2026-12-01` as 12/1. */
function nameOf(moment: string, unit: "hour" | "day"): string {
  if (unit === "hour") return hour(moment);
  return `${Number(moment.slice(5, 7))}/${Number(moment.slice(8, 10))}`;
}
