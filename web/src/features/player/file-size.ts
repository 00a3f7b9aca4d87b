const MEGABYTE = 1_000_000;

/**
 * A size in bytes as `36 MB`; below ten megabytes with one decimal, below a hundred kilobytes as
 * `<0.1 MB`.
 */
export function formatMegabytes(bytes: number): string {
  const size = bytes / MEGABYTE;
  if (size < 0.1) return "<0.1 MB";
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}
