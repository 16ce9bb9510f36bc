/** Paths as they are shown in a session. Pure. */

/** The path from the folder on; undefined if the path is outside of it. */
export function pathIn(folder: string, path: string): string | undefined {
  if (folder === "") return undefined;
  if (path === folder) return ".";
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  const rest = path.startsWith(start) ? path.slice(start.length) : "";
  return rest === "" || rest.split("/").includes("..") ? undefined : rest;
}
