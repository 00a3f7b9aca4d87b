import { Badge } from "@/shared/ui/badge.tsx";
import type { Tone } from "@/shared/ui/tones.ts";
import "@/shared/ui/records.css";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import type { ReactNode } from "react";

export interface RecordRow {
  readonly key: string;
  readonly title: string;
  /** Lines below the title. */
  readonly meta?: readonly string[];
  /** Where its picture is shown. */
  readonly picture?: string | null;
  readonly badge?: string | undefined;
  readonly tone?: Tone;
}

interface RecordListProps {
  /** What is listed, for screen readers. */
  readonly label: string;
  readonly rows: readonly RecordRow[];
  /** Opens a row; left out where nothing can be opened. */
  readonly onOpen?: ((key: string) => void) | undefined;
  /** Is told the keys in their new order; left out where nothing can be moved. */
  readonly onOrder?: ((keys: string[]) => void) | undefined;
  readonly isBusy?: boolean;
  /** Beside a row's text. */
  readonly action?: (row: RecordRow) => ReactNode;
}

/** The one list of all content pages: a row opens its form, and two buttons move it. */
export function RecordList(props: RecordListProps) {
  const { label, rows, onOpen, onOrder, isBusy = false, action } = props;
  const move = (from: number, to: number) => {
    if (isBusy || !onOrder || to < 0 || to >= rows.length) return;
    const keys = rows.map(({ key }) => key);
    keys.splice(to, 0, ...keys.splice(from, 1));
    onOrder(keys);
  };
  return (
    <ul className="rows records" aria-label={label}>
      {rows.map((row, place) => (
        <li key={row.key}>
          {row.picture ? (
            <img className="record-picture" src={row.picture} alt="" loading="lazy" />
          ) : null}
          {onOpen ? (
            <button
              type="button"
              className="record-open row-text"
              onClick={() => {
                onOpen(row.key);
              }}
            >
              <RecordText row={row} />
            </button>
          ) : (
            <div className="row-text">
              <RecordText row={row} />
            </div>
          )}
          {row.badge ? <Badge tone={row.tone ?? "neutral"}>{row.badge}</Badge> : null}
          {action?.(row)}
          {onOrder && rows.length > 1 ? (
            <div className="record-moves">
              <button
                type="button"
                className="icon-button"
                aria-label={`上移 ${row.title}`}
                aria-disabled={place === 0 || isBusy}
                onClick={() => {
                  move(place, place - 1);
                }}
              >
                <IconChevronUp size={20} stroke={1.75} aria-hidden="true" />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={`下移 ${row.title}`}
                aria-disabled={place === rows.length - 1 || isBusy}
                onClick={() => {
                  move(place, place + 1);
                }}
              >
                <IconChevronDown size={20} stroke={1.75} aria-hidden="true" />
              </button>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function RecordText({ row }: { readonly row: RecordRow }) {
  return (
    <>
      <span className="row-title">{row.title}</span>
      {row.meta?.filter(Boolean).map((line) => (
        <span key={line} className="row-meta">
          {line}
        </span>
      ))}
    </>
  );
}
