/** Whether a path is in a folder, or that folder itself. Both are absolute and without links. Pure. */
import { sep } from "node:path";

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
