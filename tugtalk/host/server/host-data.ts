/** The place of the host's own data: a Claude that works in a folder above it could read the token. Pure. */
import { isInside } from "../files/real-dir.ts";

/** The paths of the host's data. All are real paths. */
export type HostData = {
  readonly path: string;
  /** The data is in the user's state folder, since nobody has named another one. */
  readonly isDefault: boolean;
  /** The user's home folder. */
  readonly home: string;
};

/**
 * Whether the data lies in a folder, a real path. It is `accepted` in the home folder and those above it,
 * which hold a user's state in any case, unless somebody has named another data folder.
 */
export function dataIn(dir: string, data: HostData): "none" | "accepted" | "refused" {
  if (!isInside(dir, data.path)) return "none";
  return data.isDefault && isInside(dir, data.home) ? "accepted" : "refused";
}

/** The reason for the refusal of a folder, and the ways out. */
export function dataRefusal(dir: string, { path }: HostData): string {
  return `the data of the host, with its token, is in ${path}, which Claude could read in ${dir}: take another folder, or start the host with a --data that is not in it`;
}
