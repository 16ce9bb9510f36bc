/** `tugtalk/spawn`: tugtalk as a child process of a host that runs on Node or Bun. */
import type { InboundMessage, OutboundMessage } from "../src/types.ts";
import type { Hook, HookAnswers, HookCall, HookEvent, HookInputs, Hooks } from "./hooks.ts";
import { findProgram } from "./program.ts";
import {
  type AnswerTo,
  type Request,
  type StartOptions,
  startTugtalk,
  type Tugtalk,
} from "./running-tugtalk.ts";
import { EndedError, type Exit, RequestError } from "./spawn-errors.ts";
import { type Tool, type ToolBlock, type ToolCall, type ToolResult, tool } from "./tools.ts";

export type {
  AnswerTo,
  Hook,
  HookAnswers,
  HookCall,
  HookEvent,
  HookInputs,
  Hooks,
  InboundMessage,
  OutboundMessage,
  Request,
  Tugtalk,
};
export {
  EndedError,
  type Exit,
  RequestError,
  type Tool,
  type ToolBlock,
  type ToolCall,
  type ToolResult,
  tool,
};

/** The options of a start. All are optional. */
export type SpawnOptions = StartOptions & {
  /** The command to start in place of Bun with the bundle of this package. */
  readonly command?: readonly string[] | undefined;
};

/**
 * Starts tugtalk; `protocol_init` is the first message to send. Ctrl-C in a terminal does not reach it. When
 * this process ends in any way, so does tugtalk. Rejects if it cannot be started, and with the reason of
 * `signal` if that is already aborted.
 */
export async function spawnTugtalk(options: SpawnOptions = {}): Promise<Tugtalk> {
  options.signal?.throwIfAborted();
  const program = options.command ? { command: options.command, env: {} } : findProgram();
  return startTugtalk(program.command, { ...options, env: { ...options.env, ...program.env } });
}
