/** The sessions that this host takes from lost hosts. */

import { isRunning, ownProcesses } from "../../src/base/processes.ts";
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";

type Reader = Pick<PostgresReader, "query">;

/** A host that lives, or may live. */
export type LivingHost = {
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
  /** The process namespace that `pid` belongs to, if it is known. */
  readonly processes: string | null;
  readonly places: readonly string[];
};

export async function livingHosts(reader: Reader): Promise<readonly LivingHost[]> {
  const rows = await reader.query<Omit<LivingHost, "places"> & { places: string }>(
    "SELECT id, machine, pid, processes, places FROM hosts",
  );
  return rows.map(({ places, ...host }) => ({ ...host, places: JSON.parse(places) }));
}

/**
 * Hosts of this machine whose process is gone: the processes of their sessions can be checked here. A host of
 * another user or container, whose processes are invisible here, may live.
 */
export function endedHosts(
  hosts: readonly LivingHost[],
  own: Pick<LivingHost, "id" | "machine">,
): readonly LivingHost[] {
  const seen = ownProcesses();
  return hosts.filter(
    ({ id, machine, pid, processes }) =>
      id !== own.id && machine === own.machine && processes === seen && !isRunning(pid),
  );
}

/** The sessions that a host holds. */
export async function heldBy(reader: Reader, host: string): Promise<readonly string[]> {
  const statement = "SELECT id FROM sessions WHERE host = $1 ORDER BY number";
  return (await reader.query<{ id: string }>(statement, [host])).map(({ id }) => id);
}

/** The sessions of lost hosts. */
export async function orphans(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.query<{ id: string }>(
    `SELECT id FROM sessions WHERE host IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.id = sessions.host) ORDER BY number`,
  );
  return rows.map(({ id }) => id);
}
