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
    const reason = error instanceof EndedError ? await lastWords(log) : messageOf(error);
    throw new ApiError(503, "place_unreachable", `cannot reach ${place.name}: ${reason}`);
  }
}

/** What a command says of its end may be read after the end itself. */
const WORDS_WITHIN_MS = 200;
const CHECK_MS = 10;

async function lastWords(log: ErrorLog): Promise<string> {
  for (let waited = 0; log.beginning === "" && waited < WORDS_WITHIN_MS; waited += CHECK_MS)
    await Bun.sleep(CHECK_MS);
  return log.beginning || "the connection was closed";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
