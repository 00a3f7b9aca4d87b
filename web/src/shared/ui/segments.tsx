import "./segments.css";

interface SegmentsProps<T extends string> {
  /** What is chosen here, for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly value: T;
  /** Called with another value than the present one only. */
  readonly onChange: (value: T) => void;
}

/** A choice of one among few, side by side. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => option.value !== value && onChange(option.value)}
        >
          {option.name}
        </button>
      ))}
    </fieldset>
  );
}
