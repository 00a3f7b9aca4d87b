import { useState } from "react";
import { Field } from "@/shared/ui/field.tsx";

/** Searches a list by name. */
export function NameSearch({
  label,
  onSearch,
}: {
  /** What is searched: 搜索艺人的名字. */
  readonly label: string;
  readonly onSearch: (text: string) => void;
}) {
  const [text, setText] = useState("");
  return (
    <search>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Field label={label}>
          {(given) => (
            <input
              {...given}
              type="search"
              maxLength={64}
              enterKeyHint="search"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                if (event.target.value === "") onSearch("");
              }}
            />
          )}
        </Field>
        <button type="submit" className="button button-small">
          搜索
        </button>
      </form>
    </search>
  );
}
