import "./rank.css";
import type { Period, RankKind } from "@/shared/api/discovery-calls.ts";
import { Segments } from "@/shared/ui/segments.tsx";

/** What ranks are sorted by, and their period. */
export interface RankChoice {
  readonly kind: RankKind;
  readonly period: Period;
}

/** The rank that is shown first (specification §9: default period day). */
export const FIRST_CHOICE: RankChoice = { kind: "pageviews", period: "day" };

const KINDS: readonly { value: RankKind; name: string }[] = [
  { value: "pageviews", name: "播放" },
  { value: "favorites", name: "收藏" },
  { value: "new", name: "最新" },
];

const PERIODS: readonly { value: Period; name: string; label: string }[] = [
  { value: "day", name: "日", label: "日榜" },
  { value: "week", name: "周", label: "周榜" },
  { value: "month", name: "月", label: "月榜" },
  { value: "all", name: "总", label: "总榜" },
];

interface RankChooserProps {
  readonly choice: RankChoice;
  /** Called with another choice than the present one only. */
  readonly onChange: (choice: RankChoice) => void;
}

/** The two choices above a rank. */
export function RankChooser({ choice, onChange }: RankChooserProps) {
  return (
    <div className="rank-chooser">
      <Segments
        label="排行依据"
        options={KINDS}
        value={choice.kind}
        onChange={(kind) => onChange({ ...choice, kind })}
      />
      <fieldset className="rank-periods" aria-label="时段">
        {PERIODS.map(({ value, name, label }) => (
          <button
            key={value}
            type="button"
            aria-label={label}
            aria-pressed={value === choice.period}
            onClick={() => value !== choice.period && onChange({ ...choice, period: value })}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
