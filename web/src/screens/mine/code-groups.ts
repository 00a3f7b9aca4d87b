/** Characters of a group. */
const GROUP = 4;

/** A part of a data code and where it begins in it. */
export interface CodeGroup {
  readonly start: number;
  readonly text: string;
}

/** A data code in groups of four, for reading; without separators the groups are the code. */
export function codeGroups(code: string): readonly CodeGroup[] {
  const groups: CodeGroup[] = [];
  for (let start = 0; start < code.length; start += GROUP)
    groups.push({ start, text: code.slice(start, start + GROUP) });
  return groups;
}
