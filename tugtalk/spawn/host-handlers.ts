/** Runs the tools and hooks of a host of `spawnTugtalk`, and answers the bridge. */
import type { GUARDED } from "../src/messages/hook-events.ts";
import type { HookCall, HookEvent, Hooks } from "./hooks.ts";
import { EndedError, RequestError } from "./spawn-errors.ts";
import type { Tool, ToolCall, ToolResult } from "./tools.ts";

export type Handlers = {
  /** The tools by the name that the model knows, after `mcp__host__`. */
  readonly tools?: Readonly<Record<string, Tool>> | undefined;
  readonly hooks?: Hooks | undefined;
};

/** A message of the bridge or to it. */
type Message = Readonly<Record<string, unknown>>;

/** A hook of any event, since inputs and answers differ from event to event. */
type AnyHook = {
  readonly event: HookEvent;
  readonly matcher?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly on_timeout?: "block" | "continue" | undefined;
  readonly run: (input: unknown, call: HookCall) => unknown;
};

/** The work for an open request. */
type Work = {
  readonly type: "host_tool_answer" | "hook_answer";
  readonly run: (signal: AbortSignal) => Promise<Message>;
  readonly failed: (error: unknown) => Message;
};

export class HostHandlers {
  readonly #tools: Readonly<Record<string, Tool>> | undefined;
  readonly #hooks: ReadonlyMap<string, AnyHook> | undefined;
  readonly #answer: (message: Message) => Promise<unknown>;
  /** The open requests by id and channel. */
  readonly #open = new Map<string, AbortController>();

  /** `answer` resolves when the bridge has accepted the answer. */
  constructor({ tools, hooks }: Handlers, answer: (message: Message) => Promise<unknown>) {
    this.#tools = tools;
    this.#hooks = hooks && hooksById(hooks);
    this.#answer = answer;
  }

  /** A message before it is sent: `protocol_init` gets the declarations of the handlers, beside its own. */
  declared<Sent extends { readonly type: string }>(message: Sent): Sent {
    const isEmpty = this.#tools === undefined && this.#hooks === undefined;
    if (isEmpty || message.type !== "protocol_init") return message;
    const { options = {} } = message as { readonly options?: Message };
    const tools = Object.entries(this.#tools ?? {}).map(([name, { declaration }]) => ({
      name,
      ...declaration,
    }));
    const hooks = [...(this.#hooks ?? [])].map(([hook_id, { run: _run, ...hook }]) => ({
      hook_id,
      ...hook,
    }));
    const added = {
      ...(this.#tools && { host_tools: [...listOf(options["host_tools"]), ...tools] }),
      ...(this.#hooks && { host_hooks: [...listOf(options["host_hooks"]), ...hooks] }),
    };
    return { ...message, options: { ...options, ...added } };
  }

  /** Runs the request in a message of the bridge, or aborts a cancelled one. */
  receive(message: Message): void {
    if (message["type"] === "control_request_cancel")
      this.#open
        .get(keyOf(message))
        ?.abort(new Error(`no longer waited for: ${message["reason"]}`));
    const work = this.#workFor(message);
    if (work !== undefined) void this.#run(message, work);
  }

  /** The bridge has ended, and awaits no answer. */
  end(): void {
    for (const controller of this.#open.values()) controller.abort(new Error("tugtalk has ended"));
  }

  #workFor(message: Message): Work | undefined {
    if (message["type"] === "host_tool_request") {
      const found = own(this.#tools ?? {}, String(message["tool_name"]));
      return found && toolWork(found, message);
    }
    if (message["type"] !== "hook_request") return undefined;
    const hook = this.#hooks?.get(String(message["hook_id"]));
    return hook && hookWork(hook, message);
  }

  async #run(request: Message, { type, run, failed }: Work): Promise<void> {
    const controller = new AbortController();
    const key = keyOf(request);
    this.#open.set(key, controller);
    const { request_id, channel } = request;
    const answer = (fields: Message) =>
      this.#answer({ ...fields, type, request_id, ...(channel !== undefined && { channel }) });
    try {
      const result = await run(controller.signal).catch(failed);
      if (controller.signal.aborted) return;
      await answer(result).catch((error) => (isOver(error) ? undefined : answer(failed(error))));
    } catch (error) {
      if (!isOver(error)) warn(`a ${type} is not taken`, error);
    } finally {
      this.#open.delete(key);
    }
  }
}

function toolWork({ run }: Tool, { input, ...message }: Message): Work {
  return {
    type: "host_tool_answer",
    run: async (signal) => resultFields(await run(input, { ...(message as ToolCall), signal })),
    failed: (error) => ({ text: textOf(error), is_error: true }),
  };
}

function resultFields(result: ToolResult): Message {
  if (result === undefined) return {};
  return typeof result === "string" ? { text: result } : { content: result };
}

/** The events at which the bridge refuses, by type. */
const REFUSING: Readonly<Record<(typeof GUARDED)[number], true>> = {
  PreToolUse: true,
  UserPromptSubmit: true,
};

function hookWork({ event, on_timeout, run }: AnyHook, { input, ...message }: Message): Work {
  return {
    type: "hook_answer",
    run: async (signal) => ({
      ...((await run(input, { ...(message as HookCall), signal })) as Message | undefined),
    }),
    failed: (error) => {
      warn(`the hook of the host at ${event} failed`, error);
      const isRefused = Object.hasOwn(REFUSING, event) && on_timeout !== "continue";
      return isRefused ? { decision: "deny", reason: textOf(error) } : {};
    },
  };
}

function hooksById(hooks: Hooks): ReadonlyMap<string, AnyHook> {
  const all = Object.entries(hooks).flatMap(([event, given]) => {
    // The type of the table has tied each function to its event.
    const list = [given ?? []].flat() as readonly (AnyHook["run"] | Omit<AnyHook, "event">)[];
    return list.map((hook, index) => {
      const fields = typeof hook === "function" ? { run: hook } : hook;
      return [`${event}-${index + 1}`, { event: event as HookEvent, ...fields }] as const;
    });
  });
  return new Map(all);
}

function own(tools: Readonly<Record<string, Tool>>, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function keyOf({ request_id, channel }: Message): string {
  return JSON.stringify([request_id, channel]);
}

/** Whether the bridge does not await the answer any more. */
function isOver(error: unknown): boolean {
  const isClosed = error instanceof RequestError && error.code !== "bad_message";
  return isClosed || error instanceof EndedError;
}

function warn(what: string, error: unknown): void {
  process.emitWarning(`${what}: ${textOf(error)}`, "TugtalkWarning");
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
