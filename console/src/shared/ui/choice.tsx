import "@/shared/ui/choice.css";

interface ChoiceProps<T extends string> {
  /** What is chosen here, for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className="choice" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => {
            onChange(option.value);
          }}
        >
          {option.name}
        </button>
      ))}
    </fieldset>
  );
}
