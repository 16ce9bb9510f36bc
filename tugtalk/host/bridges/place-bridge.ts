/** A bridge on a place: started through its command, and reached before anything else is said. */
import { EndedError, spawnTugtalk } from "../../spawn/spawn.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, Place } from "./bridge.ts";
import { ErrorLog, PlaceConnection } from "./place-connection.ts";

/** How long a place may take to answer. */
const CONNECT_LIMIT_MS = 60_000;

/** Resolves once the bridge there has answered. Nothing that starts Claude was sent to it then. */
export async function startPlaceBridge(place: Place, signal?: AbortSignal): Promise<Bridge> {
  const log = new ErrorLog(place.name);
  // Constant words only: ssh hands its words to a shell.
  const command = [...place.command, "tugtalk", `--idle-exit=${place.idleExitSeconds}`];
  const limit = AbortSignal.timeout(CONNECT_LIMIT_MS);
  try {
    const child = await spawnTugtalk({ command, stderr: (line) => log.add(line) });
    const connection = new PlaceConnection(child, place, log);
    await connection.open(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    return connection;
  } catch (error) {
    // What the command said of its end may come after it.
    await new Promise(setImmediate);
    throw new ApiError(
      503,
      "place_unreachable",
      `cannot reach ${place.name}: ${reasonOf(error, log)}`,
    );
  }
}

function reasonOf(error: unknown, { last }: ErrorLog): string {
  if (error instanceof EndedError) return last === "" ? "the connection was closed" : last;
  return error instanceof Error ? error.message : String(error);
}
