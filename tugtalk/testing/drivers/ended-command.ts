/** Programs that a test runs to their end. */
import { UNDER_TEST } from "./bridge-process.ts";

/** The exit code and the output of a command. */
export type EndedCommand = { readonly code: number; readonly out: string; readonly err: string };

type RunOptions = {
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
};

export async function runCommand(
  command: readonly string[],
  { env = process.env, cwd = process.cwd() }: RunOptions = {},
): Promise<EndedCommand> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "pipe", "pipe"], env, cwd });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

/** The command line of `tugtalk host sessions …` on a data folder. */
export function sessionsCommand(dataDir: string, words: readonly string[]): readonly string[] {
  return [...UNDER_TEST, "host", "sessions", ...words, "--data", dataDir];
}

/** Runs it. */
export function runSessions(dataDir: string, ...words: readonly string[]): Promise<EndedCommand> {
  return runCommand(sessionsCommand(dataDir, words));
}
