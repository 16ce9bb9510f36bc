/** The machine as one bridge needs it: a clock, ids, files, and a way to start Claude. */
import type { Clock } from "../base/clock.ts";
import { hideValues } from "../base/hidden-values.ts";
import type { SecretFiles } from "../base/private-folders.ts";
import { openPastConversations } from "../history/past-conversations.ts";
import { buildEnvironment, findClaude } from "../process/claude-command.ts";
import { startClaudeProcess } from "../process/claude-process.ts";
import type { BridgeArguments } from "./arguments.ts";
import type { BridgePorts } from "./bridge.ts";
import type { Log } from "./log.ts";

/** A program that takes the place of Claude. */
export type ReplacedClaude = {
  readonly newId: BridgePorts["newId"];
  /** Called for each start; `env` is added to the environment. */
  readonly start: () => {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
};

/** The system clock. Its timers do not keep the process alive. */
export const CLOCK: Clock = {
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms).unref(),
  clearTimer: (timer) => clearTimeout(timer as Timer | undefined),
};

/** Opens the ports of one bridge. `files` belong to this bridge alone: each bridge uses the same names. */
export function openBridgePorts(
  { dir, stateDir, claude, maxLineBytes }: BridgeSettings,
  { files, log }: { readonly files: SecretFiles; readonly log: Log },
  replaced?: ReplacedClaude,
): Omit<BridgePorts, "onFatal"> {
  const past = openPastConversations(dir, stateDir, (message) => log("warn", message));
  let cwd = dir;
  return {
    clock: CLOCK,
    newId: replaced?.newId ?? (() => crypto.randomUUID()),
    log,
    spawn: (args, options) => {
      const { command, env } = replaced?.start() ?? { command: findClaude(claude), env: {} };
      return startClaudeProcess({
        command,
        args,
        cwd,
        env: { ...buildEnvironment(process.env, options), ...env },
        maxLineBytes,
        hide: (text) => hideValues(text, options.env),
      });
    },
    writeSecretFile: (name, text) => files.write(name, text),
    ...past,
    configure: (init) => {
      cwd = init.dir ?? dir;
      past.configure(init);
    },
  };
}

/** The settings of the command line for each bridge of the process. */
export type BridgeSettings = Pick<BridgeArguments, "dir" | "stateDir" | "claude" | "maxLineBytes">;
