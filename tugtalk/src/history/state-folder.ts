/** The folder where bridges and agents keep files that outlive them. */
import { isAbsolute, join } from "node:path";
import { homeFolder } from "../base/home-folder.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Outside of every project. */
export function defaultStateFolder(env: Environment): string {
  const base = env["XDG_STATE_HOME"];
  const isUsable = base !== undefined && isAbsolute(base);
  return join(isUsable ? base : join(homeFolder(), ".local", "state"), "tugtalk");
}
