/** The options of the sessions of a host, and their defaults. */
import { presentUptime } from "../../src/base/uptime.ts";
import type { BridgeStarter } from "../bridges/bridge.ts";
import type { Journal } from "../journal/journal.ts";
import type { AlarmsOptions } from "./alarms.ts";
import { oldBridgeGone } from "./old-bridge.ts";

const CLOSE_BUDGET_MS = 8_000;

export type SessionsOptions = {
  readonly journal: Journal;
  readonly startBridge: BridgeStarter;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The uptime of this machine. */
  readonly uptime?: typeof presentUptime;
  /** Calls back once after a time. */
  readonly schedule?: NonNullable<AlarmsOptions["schedule"]>;
  /** Resolves when the lost bridge, or the bridge of a killed host, is gone. Rejects with an `ApiError`. */
  readonly oldBridgeGone?: typeof oldBridgeGone;
  /** Checks whether sessions of other hosts leave a conversation free. Rejects with an `ApiError`. */
  readonly checkElsewhere?: (conversation: string, session: string) => Promise<void>;
  /** The limit for the ends of all Claudes together; 8 s. Their bridges then end them without the host. */
  readonly closeBudgetMs?: number;
};

/** The options with their defaults. The schedule alone has none here. */
export type FilledOptions = SessionsOptions & Required<Omit<SessionsOptions, "schedule">>;

const DEFAULTS = {
  now: Date.now,
  uptime: presentUptime,
  oldBridgeGone,
  closeBudgetMs: CLOSE_BUDGET_MS,
  checkElsewhere: async () => {},
};

export function filledOptions(options: SessionsOptions): FilledOptions {
  return { ...DEFAULTS, ...options };
}
