import { IconChevronLeft, IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useGoBack } from "@/shared/ui/use-go-back.ts";
import { MAX_CHARACTERS } from "./search-history.ts";
import { optionId, SUGGESTIONS_ID } from "./suggestion-list.tsx";
import type { Suggestions } from "./use-suggestions.ts";

interface SearchBarProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSearch: (text: string) => void;
  readonly suggestions: Suggestions;
}

/** Back, the field, and the button; the field has the focus when the screen opens. */
export function SearchBar({ text, onText, onSearch, suggestions }: SearchBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const isOpen = suggestions.items.length > 0;
  const goBack = useGoBack();

  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const clear = () => {
    onText("");
    field.current?.focus();
  };
  return (
    <header className="search-bar">
      <div className="search-bar-inner">
        <button type="button" className="icon-button" aria-label="返回" onClick={goBack}>
          <IconChevronLeft stroke={1.75} aria-hidden="true" />
        </button>
        <search className="search-form">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              onSearch(text);
            }}
          >
            <div className="search-field">
              <IconSearch size={18} stroke={2} aria-hidden="true" />
              <input
                ref={field}
                type="text"
                role="combobox"
                aria-expanded={isOpen}
                aria-controls={isOpen ? SUGGESTIONS_ID : undefined}
                aria-autocomplete="list"
                aria-activedescendant={
                  suggestions.active >= 0 ? optionId(suggestions.active) : undefined
                }
                inputMode="search"
                enterKeyHint="search"
                autoComplete="off"
                autoCorrect="off"
                spellCheck={false}
                aria-label="搜索视频、标签"
                placeholder="搜索视频、标签"
                maxLength={MAX_CHARACTERS * 2}
                value={text}
                onChange={(event) => onText(event.currentTarget.value)}
                onKeyDown={suggestions.onKeyDown}
              />
              {text !== "" && (
                <button
                  type="button"
                  className="search-clear"
                  aria-label="清除文字"
                  onClick={clear}
                >
                  <IconX size={16} stroke={2} aria-hidden="true" />
                </button>
              )}
            </div>
            <button type="submit" className="search-go">
              搜索
            </button>
          </form>
        </search>
      </div>
    </header>
  );
}
