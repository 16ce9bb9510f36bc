/** A bridge of one session, on this machine or a place, and the function that starts one. */
import type { Tugtalk } from "../../spawn/running-tugtalk.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";

/** A command prefix that runs programs somewhere: `ssh build-box`, `docker exec -i box`. */
export type Place = {
  readonly name: string;
  readonly command: readonly string[];
  /** The seconds without a byte of the host after which a bridge there ends itself. */
  readonly idleExitSeconds: number;
};

/**
 * The end of a bridge. `isConfirmed` is true if none of its Claudes is left. Otherwise Claude may go on for
 * `lingerMs`, and until then its conversation may not be resumed.
 */
export type BridgeEnd = { readonly isConfirmed: boolean; readonly reason?: string };

/** The link with a bridge: a process of its own, or a channel of a shared one. */
export type BridgeLink = Pick<
  Tugtalk,
  "pid" | "send" | "request" | "messages" | "close" | "exited"
>;

/** A running bridge. Its `messages` end when the bridge, or the connection with it, has ended. */
export type Bridge = Pick<BridgeLink, "pid" | "send" | "request" | "messages"> & {
  /** How long a Claude with these options may go on after the connection is lost. 0 on this machine. */
  lingerMs(init: ProtocolInit): number;
  /** Ends the bridge as a host's end of input does. Resolves like `ended`. */
  close(): Promise<BridgeEnd>;
  /**
   * Resolves when the bridge has ended or the connection is lost, and `messages` was read to its end. Never
   * rejects.
   */
  readonly ended: Promise<BridgeEnd>;
};

/**
 * Starts bridges. Rejects with an `ApiError` if the place is unknown, its command cannot be started or
 * nothing answers there; then no Claude was started. `signal` aborts a slow start.
 */
export type BridgeStarter = (place: string, signal?: AbortSignal) => Promise<Bridge>;
