/** A path while it is typed, and the folders that complete it. Pure. */
import type { FolderList } from "../../client/host-api.ts";

type TypedPath = {
  /** The folder whose folders complete it; undefined before the first `/`. */
  readonly folder: string | undefined;
  /** The beginning of a name in it. */
  readonly prefix: string;
};

export function typedPath(text: string): TypedPath {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return { folder: undefined, prefix: text };
  return { folder: slash === 0 ? "/" : text.slice(0, slash), prefix: text.slice(slash + 1) };
}

type Folder = FolderList["dirs"][number];

/** The folders whose names begin with the typed text. Hidden folders only after a dot. */
export function completions(dirs: readonly Folder[], prefix: string): readonly Folder[] {
  const wanted = prefix.toLowerCase();
  return dirs.filter(
    ({ name }) => name.toLowerCase().startsWith(wanted) && (prefix !== "" || !name.startsWith(".")),
  );
}

/** The path with a `/` at its end: the next typed text is then a name in the folder. */
export function asFolder(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
