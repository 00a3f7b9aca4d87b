import type { Stored } from "@/shared/api/types.ts";
import { size } from "@/shared/format/amount.ts";

/** What takes how much room. */
export function StorageTable({ storage }: { readonly storage: readonly Stored[] }) {
  const total = storage.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <section className="card" aria-labelledby="storage">
      <div className="card-head">
        <h2 id="storage" className="card-title">
          占用空间
        </h2>
        <span className="amount">{size(total)}</span>
      </div>
      <ul className="rows">
        {storage.map(({ kind, bytes }) => (
          <li key={kind}>
            <p className="row-text">{kind}</p>
            <span className="amount">{size(bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
