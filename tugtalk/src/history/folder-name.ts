/** How Claude names the folder that keeps the transcripts of a project. Protocol reference §7. */

/** Newer versions cut a longer name off here and add a hash of the path. */
const MAX_NAME_CHARS = 200;

/** What the measured versions make of the real path of a project. */
export type FolderNames = {
  /** V197 and V330. */
  readonly usual: string;
  /** V38; another one only for a long path, or one that is not in Unicode's composed form. */
  readonly old: string;
};

/** The names that the folder may have. */
export function folderNamesOf(path: string): FolderNames {
  return { usual: shortened(dashed(path), path), old: dashed(path.normalize("NFC")) };
}

/** A character beyond the first 65,536 is two dashes. */
function dashed(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function shortened(name: string, path: string): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  return `${name.slice(0, MAX_NAME_CHARS)}-${Math.abs(hashOf(path)).toString(36)}`;
}

/** 31 times what was before plus the next UTF-16 unit, in 32 bits. */
function hashOf(path: string): number {
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) | 0;
  return hash;
}
