/**
 * The stored sessions of a journal that a running host has open: asks that host, with the token of its
 * folder.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Fields } from "../../client/claude-value.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { fetchCommand, refusalOf } from "../../client/transports/http-request.ts";
import { isRunning } from "../../src/base/processes.ts";
import { type HostRecord, readHostRecord, tokenFile } from "../server/data-folder.ts";
import { whoAnswers } from "../server/host-proof.ts";
import { type StoredSessions, withSizes } from "./stored-sessions.ts";

/** Long, since a host ends Claude before it deletes a session. */
const ANSWER_MS = 60_000;
/** Enough for a journal as large as many disks. */
const BACKUP_MS = 3_600_000;

const Sizes = z.object({
  sizes: z.array(z.object({ id: z.string(), bytes: z.number(), entries: z.number() })),
});

/** The host is of this version or a neighbouring one, so only the used fields are checked. */
const Sessions = z.object({
  sessions: z.array(
    z.custom<SessionInfo>(
      (value) => z.object({ id: z.string(), updated_at: z.number() }).safeParse(value).success,
    ),
  ),
});

/** Throws an error for people if no host runs that could answer. */
export function servedSessions(folder: string): StoredSessions {
  const ask = askerOf(folder);
  return {
    list: async () => {
      const { sessions } = Sessions.parse(await (await ask("sessions")).json());
      const { sizes } = Sizes.parse(await (await ask("sizes")).json());
      return withSizes(sessions, sizes);
    },
    delete: async (id) => void (await (await ask("delete", { id })).text()),
    export: async (id, format) => {
      const { body } = await ask("export", { id, format });
      return body === null ? [] : body.pipeThrough(new TextDecoderStream());
    },
    backUp: async (file) => void (await (await ask("backup", { file }, BACKUP_MS)).text()),
    close: () => {},
  };
}

type Ask = (command: HostCommand, fields?: Fields, limitMs?: number) => Promise<Response>;

function askerOf(folder: string): Ask {
  const record = runningHost(folder);
  if (record === undefined)
    throw new Error(`another program has the journal in ${folder}; try again when it has ended`);
  const { port } = record;
  const token = readFileSync(tokenFile(folder), "utf8").trim();
  const address = { url: `http://127.0.0.1:${port}`, token };
  return async (command, fields = {}, limitMs = ANSWER_MS) => {
    if ((await whoAnswers(token, port)) !== "host")
      throw new Error(`what answers at port ${port} is not the host of ${folder}; nothing is sent`);
    const answer = await fetchCommand(address, command, fields, AbortSignal.timeout(limitMs));
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  };
}

/** The record of a running host. It may be of a killed one, whose port another program may have. */
export function runningHost(folder: string): HostRecord | undefined {
  const record = readHostRecord(folder);
  return record !== undefined && isRunning(record.pid) ? record : undefined;
}
