import "@/screens/videos/bulk.css";
import { useState } from "react";
import type { Search } from "@/features/videos/search.ts";
import { BulkDialog, type Meant } from "@/screens/videos/bulk-dialog.tsx";
import { count } from "@/shared/format/count.ts";

/** What may be done with the chosen videos, or with all that the filter leaves. */
export function BulkBar({
  selected,
  total,
  search,
  onDone,
}: {
  readonly selected: readonly string[];
  readonly total: number;
  readonly search: Search;
  readonly onDone: () => void;
}) {
  const [meant, setMeant] = useState<Meant | null>(null);
  if (selected.length === 0) return null;
  return (
    <section className="bulk" aria-label="批量修改">
      <p>已选 {count(selected.length)} 个</p>
      <button
        type="button"
        className="button button-small"
        onClick={() => {
          setMeant({ ids: selected.map(Number), count: selected.length });
        }}
      >
        修改选中的
      </button>
      <button
        type="button"
        className="button button-small"
        onClick={() => {
          setMeant({ search, count: total });
        }}
      >
        修改全部 {count(total)} 个
      </button>
      {meant ? (
        <BulkDialog
          meant={meant}
          onClose={() => {
            setMeant(null);
          }}
          onDone={() => {
            setMeant(null);
            onDone();
          }}
        />
      ) : null}
    </section>
  );
}
