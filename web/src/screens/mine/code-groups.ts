/** Characters of a group. */
const GROUP = 4;

/** A data code cut into groups of four, for reading; the code is the groups without anything between them. */
export function codeGroups(code: string): readonly string[] {
  return code.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
}
