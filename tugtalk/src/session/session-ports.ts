/** The interface between a session and its environment. */
import type { SessionOptions } from "../messages/options.ts";
import type { PastSessions } from "./session-target.ts";
import type { SupervisorPorts } from "./supervisor.ts";

export type SessionPorts = Omit<
  SupervisorPorts,
  "spawn" | "backpressureClock" | "settledPrompts"
> & {
  readonly spawn: (
    args: readonly string[],
    options: SessionOptions,
  ) => ReturnType<SupervisorPorts["spawn"]>;
  readonly past: PastSessions;
  /** The messages that `flush` would send, without sending them. */
  readonly drained: SupervisorPorts["flush"];
  /** Saves the id of the current conversation for later bridges in this folder. */
  readonly keepSessionId: (sessionId: string) => void;
  /** Claude cannot be started: the bridge must end with exit code 1. */
  readonly onFatal: () => void;
};
