/** `tugtalk host url`: a new link to the host that runs. */
import { z } from "zod";
import { flagValue, readFlags } from "../src/base/flag-schemas.ts";
import { refuseArguments } from "../src/base/flags.ts";
import { USAGE } from "./host-flags.ts";
import { dataFolder, type HostRecord, readHostRecord } from "./server/data-folder.ts";
import { newCode } from "./server/sign-in.ts";

const OPTIONS = { data: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

const Flags = z.object({ data: flagValue.optional(), help: z.boolean().default(false) });

const ANSWER_MS = 5_000;

/** Prints the link. Sets the exit code 1 where no host runs. */
export async function printLink(words: readonly string[]): Promise<void> {
  const parsed = readFlags(words, OPTIONS, Flags);
  if ("problem" in parsed) return refuseArguments(parsed.problem, USAGE);
  if (parsed.flags.help) return console.log(USAGE.trimEnd());
  const folder = dataFolder(parsed.flags.data, process.env, process.cwd());
  const running = readHostRecord(folder);
  if (running !== undefined && (await answers(running))) {
    console.log(linkTo(running, Date.now()));
    return;
  }
  console.error(`no host runs with the data folder ${folder}; --data names another one`);
  process.exitCode = 1;
}

/** With a code that works once, for ten minutes. */
export function linkTo({ origin, code_key }: HostRecord, now: number): string {
  return `${origin}/?code=${newCode(code_key, now)}`;
}

/** Whether it still serves. The token is not sent: another program may have its port. */
async function answers({ port }: HostRecord): Promise<boolean> {
  try {
    const url = `http://127.0.0.1:${port}/api/health`;
    const { status } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return status === 401;
  } catch {
    return false; // The host was killed, and its file is left.
  }
}
