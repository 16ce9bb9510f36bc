/** What a session needs of the world: the types of what it is given, and nothing that is done with it. */
import type { SessionOptions } from "../messages/options.ts";
import type { PastSessions } from "./session-target.ts";
import type { SupervisorPorts } from "./supervisor.ts";

/** What a session is given; tests give it arrays and a clock that they drive. */
export type SessionPorts = Omit<
  SupervisorPorts,
  "spawn" | "backpressureClock" | "settledPrompts"
> & {
  readonly spawn: (
    args: readonly string[],
    options: SessionOptions,
  ) => ReturnType<SupervisorPorts["spawn"]>;
  readonly past: PastSessions;
  /** Keeps the id of the conversation that the folder's next bridge may be asked for. */
  readonly keepSessionId: (sessionId: string) => void;
  /** Claude cannot be started at all: the bridge is to end with exit code 1. */
  readonly onFatal: () => void;
};
