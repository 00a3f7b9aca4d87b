import { clock } from "@/shared/format/clock.ts";

const STEP_MS = 100;

interface MomentSliderProps {
  /** Milliseconds. */
  readonly at: number;
  readonly duration: number;
  readonly onChange: (at: number) => void;
}

/** Chooses a moment of the film, to a tenth of a second. */
export function MomentSlider({ at, duration, onChange }: MomentSliderProps) {
  const last = Math.max(STEP_MS, Math.floor(duration / STEP_MS) * STEP_MS);
  const step = (by: number) => {
    onChange(Math.min(last, Math.max(0, at + by)));
  };
  return (
    <div className="moments">
      <label className="slider">
        <span>时间</span>
        <input
          type="range"
          min={0}
          max={last}
          step={STEP_MS}
          value={at}
          aria-valuetext={spoken(at)}
          onChange={(event) => {
            onChange(event.target.valueAsNumber);
          }}
        />
        <output>{spoken(at)}</output>
      </label>
      <div className="moment-steps">
        {(
          [
            ["−1 秒", "后退", -1000],
            ["−0.1 秒", "后退", -STEP_MS],
            ["+0.1 秒", "前进", STEP_MS],
            ["+1 秒", "前进", 1000],
          ] as const
        ).map(([name, way, by]) => (
          <button
            key={name}
            type="button"
            className="button button-small"
            aria-label={`${name}，${way}`}
            onClick={() => {
              step(by);
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

/** `1:05.3`. */
function spoken(at: number): string {
  return `${clock(Math.floor(at / 1000) * 1000)}.${Math.floor((at % 1000) / STEP_MS)}`;
}
