/**
 * The work of a Claude beside its turns: agents in the background, and tools that the host calls.
 * Protocol reference §15, §21.
 */
import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import { formLine, type ModelAgent, type Stopped } from "./model-agent.ts";
import { answersTo, type Request } from "./model-answers.ts";
import { wakeLines } from "./model-lines.ts";
import type { ModelProgram } from "./model-program.ts";

/** One thing that Claude may do next: returns the lines that it prints. */
export type Move = () => readonly Fields[];

/** The state that the parts of one Claude share. */
export type ModelContext = {
  readonly version: MeasuredVersion;
  readonly newId: (kind: string) => string;
  readonly areAnswered: (requestIds: readonly string[]) => boolean;
  readonly program: ModelProgram;
  /** Whether the host has asked for the texts of agents inside agents. */
  readonly isForwarding: () => boolean;
};

/** A tool that the host has called, and the form that it shows. */
type HostCall = { readonly request: Request; readonly formId: string | undefined };

export class ModelBackground {
  /** The ids of the prompts and messages of background agents: none of them belongs to a turn. */
  readonly ids = new Set<unknown>();
  readonly #context: ModelContext;
  #agents: readonly ModelAgent[] = [];
  #hostCalls: readonly HostCall[] = [];

  constructor(context: ModelContext) {
    this.#context = context;
  }

  get oldestAgent(): ModelAgent | undefined {
    return this.#agents[0];
  }

  /** The oldest agent, if nothing that it has asked is open. */
  get finishableAgent(): ModelAgent | undefined {
    const agent = this.oldestAgent;
    return agent !== undefined && this.#context.areAnswered(agent.asked) ? agent : undefined;
  }

  add(agent: ModelAgent): void {
    this.#agents = [...this.#agents, agent];
  }

  /** The work of an agent ends, and Claude begins a turn for it. */
  wake(agent: ModelAgent): Fields[] {
    this.#agents = this.#agents.filter((one) => one !== agent);
    return [...agent.finished(), ...wakeLines(this.#context.newId("m"))];
  }

  /** An interrupt ends all agents, and begins no turn for them. */
  stop(): Stopped {
    const agents = this.#agents;
    this.#agents = [];
    const { areAnswered, program } = this.#context;
    const unheard = agents.flatMap(({ prompts }) => prompts).filter((id) => !areAnswered([id]));
    const calls = agents.flatMap((agent) => agent.calls);
    const stopped = agents.map((agent) => agent.stopped());
    return {
      before: [
        ...unheard.map((request_id) => ({ type: "control_cancel_request", request_id })),
        ...calls
          .filter(({ requestId }) => !areAnswered([requestId]))
          .map((call) => program.cancel(call)),
        ...stopped.flatMap(({ before }) => before),
      ],
      after: stopped.flatMap(({ after }) => after),
    };
  }

  addHostCall(request: Request): void {
    this.#hostCalls = [...this.#hostCalls, { request, formId: undefined }];
  }

  hostCallMoves(): Move[] {
    return this.#hostCalls.flatMap((call) => this.#movesOfHostCall(call));
  }

  agentMoves(): Move[] {
    const launch = (agent: ModelAgent) => this.add(agent);
    const moves = this.#agents.flatMap((agent) => agentMoves(agent, this.#context, launch));
    return moves.map((move) => () => this.#recorded(move()));
  }

  #movesOfHostCall(call: HostCall): Move[] {
    const { areAnswered, newId, version } = this.#context;
    if (call.formId !== undefined && !areAnswered([call.formId])) return [];
    const others = this.#hostCalls.filter((other) => other !== call);
    const finish = () => {
      this.#hostCalls = others;
      return answersTo(call.request, version);
    };
    const showForm = () => {
      const formId = newId("r");
      this.#hostCalls = [...others, { ...call, formId }];
      return [formLine(formId)];
    };
    return call.formId === undefined ? [showForm, finish] : [finish];
  }

  /** A form is left out: no line says who shows it. */
  #recorded(lines: readonly Fields[]): readonly Fields[] {
    for (const { type, request_id, request, message } of lines) {
      if (type === "assistant") this.ids.add(fieldsOf(message)["id"]);
      if (fieldsOf(request)["subtype"] === "can_use_tool") this.ids.add(request_id);
      const { params } = fieldsOf(fieldsOf(request)["message"]);
      const toolUseId = fieldsOf(fieldsOf(params)["_meta"])["claudecode/toolUseId"];
      if (toolUseId !== undefined) this.ids.add(toolUseId);
    }
    return lines;
  }
}

/**
 * The possible moves of an agent, in the foreground or in the background. `launch` takes an agent that it
 * starts.
 */
export function agentMoves(
  agent: ModelAgent,
  context: ModelContext,
  launch: (agent: ModelAgent) => void,
): Move[] {
  const { version, newId, program } = context;
  const call = (one: ModelAgent) => one.callHost(program, newId("t"));
  const hook = (one: ModelAgent) => one.askHook(program, newId("t"));
  const own: Move[] = [
    () => agent.requestPermission(newId("r"), newId("t")),
    () => agent.showForm(newId("r"), newId("t")),
    ...(program.hasTools ? [() => call(agent)] : []),
    () => hook(agent),
  ];
  if (version !== "2.1.330") return own;
  const inner = (act: (inner: ModelAgent) => readonly Fields[]) => () => {
    const started = agent.startInner(newId("t"), context.isForwarding());
    return [...started.lines, ...act(started.inner)];
  };
  return [
    ...own,
    inner((one) => one.requestPermission(newId("r"), newId("t"))),
    inner((one) => one.showForm(newId("r"), newId("t"))),
    ...(program.hasTools ? [inner(call)] : []),
    inner(hook),
    // A later call continues it.
    () => [agent.started({ tool_use_id: newId("t"), is_backgrounded: true })],
    inner((one) => one.text(newId("m"))),
    ...(agent.inner !== undefined && context.areAnswered(agent.inner.asked)
      ? [() => agent.finishInner()]
      : []),
    () => {
      const launched = agent.launchInner(newId("t"), context.isForwarding());
      launch(launched.inner);
      return launched.lines;
    },
  ];
}
