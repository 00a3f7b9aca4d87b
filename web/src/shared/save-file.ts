/** How long a file's address must stay valid for the browser to read it, milliseconds. */
const ADDRESS_MS = 60_000;

/** Offer the visitor a file to save. In-app browsers may do nothing at all. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ADDRESS_MS);
}
