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
  /** Of this machine. */
  readonly uptime?: typeof presentUptime;
  /** Calls back once after a time. */
  readonly schedule?: NonNullable<AlarmsOptions["schedule"]>;
  /** Resolves when the bridge that was lost, or left by a killed host, is gone. Rejects with an `ApiError`. */
  readonly oldBridgeGone?: typeof oldBridgeGone;
  /**
   * Why a conversation is not free for a session, apart from the sessions of this host. Rejects with
   * an `ApiError`.
   */
  readonly checkElsewhere?: (conversation: string, session: string) => Promise<void>;
  /** How long all Claudes together may take to end; 8 s. Their bridges go on ending without the host. */
  readonly closeBudgetMs?: number;
};

/** Only the schedule has no default here. */
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
