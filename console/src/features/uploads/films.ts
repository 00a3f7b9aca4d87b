/** A film with the files that go with it. */
export interface Film {
  readonly file: File;
  readonly beside: readonly File[];
}

export interface Sorted {
  readonly films: readonly Film[];
  /** What is neither a film nor goes with one. */
  readonly others: readonly File[];
}

const FILMS =
  /\.(mp4|m4v|mov|mkv|webm|avi|ts|m2ts|mts|flv|f4v|wmv|asf|mpg|mpeg|vob|ogv|ogm|3gp|3g2|qt)$/i;
const BESIDE = /\.(srt|vtt|ass|ssa|json|nfo|description|jpg|jpeg|png|webp|tbn)$/i;
/** Names that stand for a folder's only film. */
const OF_FOLDER =
  /^(poster|folder|cover|movie|default|landscape|fanart|backdrop|thumb)\.(jpg|jpeg|png|webp|tbn|nfo)$/i;

/** What a file chooser offers; whatever is chosen is examined again. */
export const ACCEPTED =
  "video/*,.mkv,.flv,.f4v,.ts,.m2ts,.mts,.avi,.wmv,.asf,.vob,.ogm,.srt,.vtt,.ass,.ssa,.json,.nfo,.description,.jpg,.jpeg,.png,.webp,.tbn";

function stem(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** Whether a file's name says that it goes with a film: `a.zh.srt` and `a-poster.jpg` with `a.mp4`. */
function goesWith(name: string, film: string): boolean {
  return name.startsWith(film) && /^[.-]/.test(name.slice(film.length));
}

/** Which of some files are films, and which go with which, by the names that the server knows. */
export function sortFiles(files: readonly File[]): Sorted {
  const films = files.filter(({ name }) => FILMS.test(name));
  const beside = new Map<File, File[]>(films.map((film) => [film, []]));
  const others: File[] = [];
  for (const file of files) {
    if (FILMS.test(file.name)) continue;
    const [only] = films;
    const owner =
      films
        .filter((film) => BESIDE.test(file.name) && goesWith(file.name, stem(film.name)))
        // Of `a` and `a.b`, the longer one.
        .sort((one, other) => other.name.length - one.name.length)[0] ??
      (films.length === 1 && OF_FOLDER.test(file.name) ? only : undefined);
    if (owner) beside.get(owner)?.push(file);
    else others.push(file);
  }
  return {
    films: films.map((file) => ({ file, beside: beside.get(file) ?? [] })),
    others,
  };
}
