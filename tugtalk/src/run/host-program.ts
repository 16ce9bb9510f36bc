/**
 * The host's program in one run: the requests of Claude to its tools and its hooks. Contract, guarantee 10.
 */
import type { SessionOptions } from "../messages/options.ts";
import type { ControlRequest } from "../protocol-types.ts";
import { HostHooks, type HostHooksDeps } from "./host-hooks.ts";
import { HostTools, type HostToolsDeps } from "./host-tools.ts";
import { type ProgramDeps, type ProgramOptions, ProgramRequests } from "./program-requests.ts";

export type HostProgramOptions = ProgramOptions & {
  readonly options: Pick<SessionOptions, "host_tools" | "host_hooks">;
};

export type HostProgramDeps = ProgramDeps & Omit<HostToolsDeps & HostHooksDeps, "program">;

export class HostProgram {
  /** The requests that the program has not answered. */
  readonly requests: ProgramRequests;
  /** Undefined: the host has declared none. */
  readonly tools: HostTools | undefined;
  readonly #hooks: HostHooks | undefined;

  constructor(given: HostProgramOptions, deps: HostProgramDeps) {
    const { host_tools, host_hooks } = given.options;
    const program = new ProgramRequests(given, deps);
    this.requests = program;
    this.tools = host_tools && new HostTools(host_tools, { ...deps, program });
    this.#hooks = host_hooks && new HostHooks(host_hooks, { ...deps, program });
  }

  /** Takes Claude's request to a tool or a hook. Returns whether it is one. */
  receive(event: ControlRequest): boolean {
    const part = [this.tools, this.#hooks].find((one) => one?.isFor(event));
    part?.receive(event);
    return part !== undefined;
  }
}
