/**
 * The host's hooks in one run. Claude asks once for each event; the host is asked for each of its hooks
 * that the event concerns, and Claude gets one answer. Contract, guarantee 10.
 */
import { fieldsOf } from "../base/json.ts";
import { buildHookFinder, type HookFinder } from "../claude/hook-matchers.ts";
import {
  buildHookOutput,
  type HookMoment,
  type HookVerdict,
  silentVerdict,
  verdictFault,
} from "../claude/hook-output.ts";
import type { LiveSettings } from "../claude/live-settings.ts";
import { formatAnswer, type LineSink, sendControlResponse } from "../control.ts";
import type { HookEvent } from "../messages/hook-events.ts";
import type { HostHook } from "../messages/hook-messages.ts";
import type { ControlRequest } from "../protocol-types.ts";
import type { Ask, ProgramAnswer, ProgramRequests } from "./program-requests.ts";

/** How long the host may take where it has set no limit, in ms. */
const TIMEOUT_MS = 60_000;

export type HostHooksDeps = {
  readonly claude: LineSink;
  readonly program: ProgramRequests;
  readonly settings: Pick<LiveSettings, "claudeVersion">;
};

export class HostHooks {
  readonly #hooks: readonly HostHook[];
  readonly #find: HookFinder;
  readonly #deps: HostHooksDeps;

  constructor(hooks: readonly HostHook[], deps: HostHooksDeps) {
    this.#hooks = hooks;
    this.#find = buildHookFinder(hooks);
    this.#deps = deps;
  }

  /** Whether Claude asks a hook of the host. */
  isFor({ request }: ControlRequest): boolean {
    return request.subtype === "hook_callback";
  }

  /** Asks the host's hooks that the event concerns; answers at once where there are none. */
  receive({ request_id: claudeId, request }: ControlRequest): void {
    const input = fieldsOf(request["input"]);
    const event = this.#hooks.find(({ event }) => event === request["callback_id"])?.event;
    const hooks = event === undefined ? [] : this.#find(event, input);
    if (event === undefined || hooks.length === 0) this.#respond(claudeId, {});
    else this.#ask(claudeId, event, input, hooks);
  }

  #ask(
    claudeId: string,
    event: HookEvent,
    input: Readonly<Record<string, unknown>>,
    hooks: readonly HostHook[],
  ): void {
    const moment = {
      event,
      toolName: textIn(input["tool_name"]),
      claudeVersion: this.#deps.settings.claudeVersion,
    };
    const [toolUseId, agentId] = [textIn(input["tool_use_id"]), textIn(input["agent_id"])];
    const verdicts = new Map<HostHook, HookVerdict>();
    const giveUp = (reason: string) => {
      const all = hooks.map((hook) => silentVerdict(event, hook.on_timeout, reason));
      this.#respond(claudeId, buildHookOutput(moment, all));
    };
    if (this.#deps.program.isFull) {
      giveUp("Too many hooks of the host wait for an answer.");
      return;
    }
    this.#deps.program.open({
      claudeId,
      clues: { agentId, toolUseId, isPrinted: toolUseId !== undefined },
      // 2.1.197 ends where it is interrupted meanwhile. The interrupt then finds a turn to end.
      ...(event === "UserPromptSubmit" && { letThrough: () => this.#respond(claudeId, {}) }),
      asks: hooks.map((hook) => ({
        ...askOf(hook, moment, verdicts),
        toMessage: (request_id) => ({
          type: "hook_request",
          request_id,
          hook_id: hook.hook_id,
          event,
          input,
          ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
          ...(agentId !== undefined && { agent_id: agentId }),
        }),
      })),
      settle: () => {
        const all = hooks.flatMap((hook) => verdicts.get(hook) ?? []);
        this.#respond(claudeId, buildHookOutput(moment, all));
      },
      giveUp: (why) => giveUp(`The ${why} was over before a hook of the host had answered.`),
    });
  }

  #respond(claudeId: string, output: Readonly<Record<string, unknown>>): void {
    sendControlResponse(this.#deps.claude, formatAnswer(claudeId, output));
  }
}

/** The answer of one hook, or the verdict in its place at the end of its time. */
function askOf(
  hook: HostHook,
  moment: HookMoment,
  verdicts: Map<HostHook, HookVerdict>,
): Omit<Ask, "toMessage"> {
  const timeoutMs = hook.timeout_ms ?? TIMEOUT_MS;
  return {
    timeoutMs,
    accept: (answer) => {
      const verdict = verdictOf(answer);
      if (verdict === undefined) return "a hook is answered with hook_answer";
      const fault = verdictFault(moment, verdict);
      if (fault === undefined) verdicts.set(hook, verdict);
      return fault;
    },
    expire: () => {
      const reason = `The hook ${hook.hook_id} did not answer within ${timeoutMs} ms.`;
      verdicts.set(hook, silentVerdict(moment.event, hook.on_timeout, reason));
    },
  };
}

function verdictOf(answer: ProgramAnswer): HookVerdict | undefined {
  if (answer.type !== "hook_answer") return undefined;
  const { type: _type, id: _id, channel: _channel, request_id: _request, ...verdict } = answer;
  return verdict;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
