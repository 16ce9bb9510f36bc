/** The ports that the commands need, beside the sessions. */
import type { SessionList, SessionSummary } from "../../src/messages/history-messages.ts";
import type { HostSessions } from "../api/host-session.ts";
import type { PastPlace } from "../bridges/past-sessions.ts";
import type { Journal } from "../journal/journal.ts";
import type { HostData } from "./host-data.ts";

/** A page of Claude's own history; `next` is `before` of the following one. */
export type PastSessions = {
  readonly sessions: readonly SessionSummary[];
  readonly next?: string | undefined;
};

export type CommandPorts = {
  readonly sessions: HostSessions;
  readonly journal: Pick<
    Journal,
    "trustedGrants" | "trust" | "sessionOfRequest" | "sizes" | "costs" | "search" | "backUp"
  >;
  readonly pastSessions: (
    where: PastPlace,
    page?: Pick<SessionList, "limit" | "before">,
  ) => Promise<PastSessions>;
  /** Voids every token, cookie and link. */
  readonly revoke: () => Promise<void>;
  /** The version of the page that the host serves. */
  readonly pageVersion: () => Promise<string>;
  readonly config: HostDefaults;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export type HostDefaults = {
  readonly version: string;
  /** `--dir`: the folder of new sessions, which the host trusts. An absolute path. */
  readonly dir: string;
  /** The place of new sessions. */
  readonly place: string;
  readonly data: HostData;
  /** The names of the other places, beside this machine and the simulator. */
  readonly places: readonly string[];
};
