/** Where the host's own data lies: a Claude that works in a folder above it could read the token. Pure. */
import { isInside } from "../files/real-dir.ts";

/** Its paths are real ones. */
export type HostData = {
  readonly path: string;
  /** It is the user's state folder, which nobody has named. */
  readonly isDefault: boolean;
  /** The user's home folder. */
  readonly home: string;
};

/**
 * Whether the data lies in a folder, a real path. It is `accepted` there in the home folder and those above
 * it, which hold a user's state in any case, unless somebody has named another data folder.
 */
export function dataIn(dir: string, data: HostData): "none" | "accepted" | "refused" {
  if (!isInside(dir, data.path)) return "none";
  return data.isDefault && isInside(dir, data.home) ? "accepted" : "refused";
}

/** Why a folder is refused, and what can be done. */
export function dataRefusal(dir: string, { path }: HostData): string {
  return `the data of the host, with its token, is in ${path}, which Claude could read in ${dir}: take another folder, or start the host with a --data that is not in it`;
}
