/** How long a file's address must live for the browser to take it, milliseconds. */
const ADDRESS_MS = 60_000;

/** Give the visitor a file to keep. Programmes that open pages themselves may do nothing at all. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ADDRESS_MS);
}
