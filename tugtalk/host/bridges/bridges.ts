/** Which command starts the bridges of a place. */
import { ApiError } from "../api/api-error.ts";
import type { BridgeStarter, Place } from "./bridge.ts";
import { startLocalBridge } from "./local-bridge.ts";
import { startPlaceBridge } from "./place-bridge.ts";
import { LOCAL, SIMULATOR } from "./places.ts";

export type BridgesConfig = {
  /** The Claude Code executable of this machine. */
  readonly claude?: string | undefined;
  /** The folder that bridges of this machine keep their state in (`--state-dir`). */
  readonly stateDir?: string | undefined;
  readonly places: readonly Place[];
};

/** The variable `TUGTALK_BRIDGE` names another file to start as the bridge of this machine. */
export function openBridges({ claude, stateDir, places }: BridgesConfig): BridgeStarter {
  const byName = new Map(places.map((place) => [place.name, place]));
  const args = stateDir === undefined ? [] : [`--state-dir=${stateDir}`];
  const command = ownCommand();
  return async (name, signal) => {
    if (name === LOCAL) return startLocalBridge({ command, claude, args });
    if (name === SIMULATOR) return startLocalBridge({ command, simulate: true });
    const place = byName.get(name);
    if (place === undefined) throw new ApiError(404, "unknown_place", `there is no place ${name}`);
    return startPlaceBridge(place, signal);
  };
}

/** Undefined: the package starts its own. The single binary has no package around it. */
function ownCommand(): readonly string[] | undefined {
  const file = process.env["TUGTALK_BRIDGE"];
  if (file !== undefined) return [process.execPath, file];
  return Bun.main.startsWith("/$bunfs/") ? [process.execPath] : undefined;
}
