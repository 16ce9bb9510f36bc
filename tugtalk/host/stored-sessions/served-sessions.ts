/** The kept sessions of a journal that a running host has: the host is asked, with the token of its folder. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { filledText, objectOf } from "../../client/claude-value.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import { HOST_ROUTES, type HostCommand } from "../../client/host-routes.ts";
import { parseJson } from "../../src/base/json.ts";
import { isRunning } from "../bridges/running-process.ts";
import { type HostRecord, readHostRecord, tokenFile } from "../server/data-folder.ts";
import { whoAnswers } from "../server/host-proof.ts";
import { type StoredSessions, withSizes } from "./stored-sessions.ts";

/** A host ends Claude before it deletes a session. */
const ANSWER_MS = 60_000;
/** As long as a journal may take that is as large as many disks. */
const BACKUP_MS = 3_600_000;

const Sizes = z.object({
  sizes: z.array(z.object({ id: z.string(), bytes: z.number(), entries: z.number() })),
});

/** The host is of this version or a neighbour of it, so that only what is used is checked. */
const Sessions = z.object({
  sessions: z.array(
    z.custom<SessionInfo>(
      (value) => z.object({ id: z.string(), updated_at: z.number() }).safeParse(value).success,
    ),
  ),
});

/** Throws an error for people where no host runs that could be asked. */
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
      const { body } = await ask("export", { id, query: `?format=${format}` });
      return body === null ? [] : body.pipeThrough(new TextDecoderStream());
    },
    backUp: async (file) =>
      void (await (await ask("backup", { body: { file }, limitMs: BACKUP_MS })).text()),
    close: () => {},
  };
}

type Question = {
  readonly id?: string;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly limitMs?: number;
};
type Ask = (command: HostCommand, asked?: Question) => Promise<Response>;

function askerOf(folder: string): Ask {
  const record = runningHost(folder);
  if (record === undefined)
    throw new Error(`another program has the journal in ${folder}; try again when it has ended`);
  const { port } = record;
  const token = readFileSync(tokenFile(folder), "utf8").trim();
  return async (command, { id = "", query = "", body, limitMs = ANSWER_MS } = {}) => {
    const { method, path } = HOST_ROUTES[command];
    if ((await whoAnswers({ token, port })) !== "host")
      throw new Error(`what answers at port ${port} is not the host of ${folder}; nothing is sent`);
    const url = `http://127.0.0.1:${port}${path.replace(":id", encodeURIComponent(id))}${query}`;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    });
    if (!answer.ok) throw new Error(await refusalIn(answer));
    return answer;
  };
}

/** The record may be that of a host which was killed, and its port another program's by now. */
export function runningHost(folder: string): HostRecord | undefined {
  const record = readHostRecord(folder);
  return record !== undefined && isRunning(record.pid) ? record : undefined;
}

async function refusalIn(answer: Response): Promise<string> {
  const body = objectOf(parseJson(await answer.text()));
  return filledText(body?.["error"]) ?? `the host answers ${answer.status}`;
}
