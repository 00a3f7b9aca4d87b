import { useState } from "react";
import { saidOf, type useContentChange } from "@/features/content/use-content.ts";
import { Field } from "@/shared/ui/field.tsx";

/** Blocks a word that is typed. */
export function WordForm({ change }: { readonly change: ReturnType<typeof useContentChange> }) {
  const [word, setWord] = useState("");
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (word.trim() === "") return;
        change.mutate(
          { method: "POST", path: "hot-words/block", body: { word: word.trim() } },
          {
            onSuccess: () => {
              setWord("");
            },
          },
        );
      }}
    >
      <Field label="屏蔽一个词" fault={saidOf(change.error, "words")}>
        {(given) => (
          <input
            {...given}
            value={word}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => {
              setWord(event.target.value);
            }}
          />
        )}
      </Field>
      <button type="submit" className="button button-small" disabled={change.isPending}>
        屏蔽
      </button>
    </form>
  );
}
