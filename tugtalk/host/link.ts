/**
 * `tugtalk host url`: a new link to the running host. `tugtalk host revoke`: a new link that is the only way
 * in.
 */
import { fetchCommand, refusalOf } from "../client/transports/http-request.ts";
import { present, readFlags, refuseArguments } from "../src/base/flags.ts";
import { logLine } from "./api/host-log.ts";
import { USAGE } from "./host-flags.ts";
import { dataFolder, type HostRecord, readHostRecord, readToken } from "./server/data-folder.ts";
import { whoAnswers } from "./server/host-proof.ts";
import { newCode } from "./server/sign-in.ts";

const ANSWER_MS = 10_000;

const OPTIONS = {
  data: { type: "string", check: present },
  help: { type: "boolean", short: "h" },
} as const;

/** Prints a link. Sets the exit code 1 if no host runs. */
export async function printLink(words: readonly string[]): Promise<void> {
  await withHost(words, printNewLink);
}

/** Voids every token, cookie and link, and prints a new link. Sets the exit code 1 if no host runs. */
export async function revoke(words: readonly string[]): Promise<void> {
  await withHost(words, async (folder, { port }) => {
    const address = { url: `http://127.0.0.1:${port}`, token: readToken(folder) };
    const answer = await fetchCommand(address, "revoke", {}, AbortSignal.timeout(ANSWER_MS));
    if (!answer.ok) throw await refusalOf(answer);
    const renewed = readHostRecord(folder);
    if (renewed !== undefined) printNewLink(folder, renewed);
  });
}

function printNewLink(_folder: string, running: HostRecord): void {
  console.log(linkTo(running, Date.now()));
}

type Task = (folder: string, running: HostRecord) => void | Promise<void>;

/** Runs a task with the host of the named folder. */
async function withHost(words: readonly string[], run: Task): Promise<void> {
  const parsed = readFlags(words, OPTIONS);
  if ("problem" in parsed) return refuseArguments(parsed.problem, USAGE);
  if (parsed.flags.help === true) return console.log(USAGE.trimEnd());
  const folder = dataFolder(parsed.flags.data, process.env, process.cwd());
  const running = readHostRecord(folder);
  try {
    const problem = running === undefined ? noHost(folder) : await problemOf(running, folder);
    if (running !== undefined && problem === undefined) return await run(folder, running);
    console.error(problem);
  } catch (error) {
    logLine(`tugtalk host: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.exitCode = 1;
}

/** Checks the port first: a link to another program would give it the browser's code. */
async function problemOf({ port }: HostRecord, folder: string): Promise<string | undefined> {
  switch (await whoAnswers(readToken(folder), port)) {
    case "host":
      return undefined;
    case "nobody":
      return noHost(folder); // It was killed, and its file is left.
    case "other":
      return `what answers at port ${port} is not the host of the data folder ${folder}, and gets no link; start the host again, with another --port if it does not get this one`;
  }
}

function noHost(folder: string): string {
  return `no host runs with the data folder ${folder}; --data names another one`;
}

/** A link with a code that works once, for ten minutes. */
export function linkTo({ origin, code_key, ahead_ms }: HostRecord, now: number): string {
  return `${origin}/?code=${newCode(code_key, now + ahead_ms)}`;
}
