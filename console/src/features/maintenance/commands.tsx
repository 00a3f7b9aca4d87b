import "@/features/maintenance/maintenance.css";

/** What is to be executed on the server, in this order. */
export function Commands({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly string[];
}) {
  return (
    <ol className="commands" aria-label={label}>
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
    </ol>
  );
}
