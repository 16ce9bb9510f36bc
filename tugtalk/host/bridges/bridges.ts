/** The command that starts the bridges of a place. */
import { OWN_COMMAND } from "../../spawn/own-command.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeStarter, Place } from "./bridge.ts";
import type { LineGate } from "./line-gate.ts";
import { openLocalBridges } from "./local-bridge.ts";
import { PlaceBridges } from "./place-bridge.ts";
import { bridgeEndMs } from "./place-connection.ts";
import { LOCAL, SIMULATOR } from "./places.ts";

export type BridgesConfig = {
  /** The Claude Code executable of this machine. */
  readonly claude?: string | undefined;
  /** The folder in which bridges of this machine keep their state (`--state-dir`). */
  readonly stateDir?: string | undefined;
  readonly places: readonly Place[];
  /** The seconds after which bridges of this machine end by themselves if their host is stopped. */
  readonly idleExit?: number | undefined;
  /** Each session has a bridge process of its own; otherwise the sessions of a place share one. */
  readonly isIsolated: boolean;
  /** The gate for the lines to all bridges. */
  readonly gate: LineGate;
};

/** The variable `TUGTALK_BRIDGE` names another file to start as the bridge of this machine. */
export function openBridges({
  claude,
  stateDir,
  places,
  idleExit,
  isIsolated,
  gate,
}: BridgesConfig): BridgeStarter {
  const args = stateDir === undefined ? [] : [`--state-dir=${stateDir}`];
  const command = bridgeCommand();
  const how = { isIsolated, pass: gate.passFor(bridgeEndMs(idleExit ?? 0)) };
  const local = openLocalBridges(command, { claude, args, idleExit }, how);
  const simulator = openLocalBridges(command, { simulate: true, idleExit }, how);
  const byName = new Map(
    places.map((place) => [place.name, new PlaceBridges(place, { isIsolated, gate })]),
  );
  return async (name, signal) => {
    if (name === LOCAL) return local();
    if (name === SIMULATOR) return simulator();
    const place = byName.get(name);
    if (place === undefined) throw new ApiError(404, "unknown_place", `there is no place ${name}`);
    return place.start(signal);
  };
}

function bridgeCommand(): readonly string[] {
  const file = process.env["TUGTALK_BRIDGE"];
  return file === undefined ? OWN_COMMAND : [process.execPath, file];
}
