import type { SessionOptions } from "./options.ts";

/** The defaults of the options that have one, in the same units. */
export const OPTION_DEFAULTS = {
  first_token_timeout_ms: 300_000,
  stream_timeout_ms: 120_000,
  interrupt_timeout_ms: 10_000,
  shutdown_grace_ms: 2_000,
  max_queued: 100,
} as const satisfies SessionOptions;

/** The options of the host, with the defaults of tugtalk's own. */
export type ConfiguredOptions = SessionOptions &
  Readonly<Record<keyof typeof OPTION_DEFAULTS, number>>;
