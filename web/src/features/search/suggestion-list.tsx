import { IconFlame, IconSearch, IconTag, IconUser } from "@tabler/icons-react";
import type { Suggestion } from "@/shared/api/search-calls.ts";

export const SUGGESTIONS_ID = "search-suggestions";

const ICONS = { hot: IconFlame, artist: IconUser, label: IconTag, title: IconSearch };
const KINDS = { hot: "热搜", artist: "艺人", label: "标签", title: "视频" };

/** The id of an option, for the field's `aria-activedescendant`. */
export const optionId = (place: number) => `${SUGGESTIONS_ID}-${place}`;

interface SuggestionListProps {
  readonly items: readonly Suggestion[];
  readonly active: number;
  readonly onChoose: (term: string) => void;
}

/** Suggestions under the field. The field keeps the focus; a press or the arrow keys choose. */
export function SuggestionList({ items, active, onChoose }: SuggestionListProps) {
  return (
    <div id={SUGGESTIONS_ID} className="suggestions" role="listbox" aria-label="搜索联想">
      {items.map(({ text, kind }, place) => {
        const Icon = ICONS[kind];
        return (
          <button
            key={text}
            id={optionId(place)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            aria-label={`${text}，${KINDS[kind]}`}
            onClick={() => onChoose(text)}
          >
            <Icon size={18} stroke={1.75} aria-hidden="true" />
            <span>{text}</span>
          </button>
        );
      })}
    </div>
  );
}
