/** A bridge of one session, here or on a place, and how one is started. */
import type { Tugtalk } from "../../spawn/running-tugtalk.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";

/** A command prefix that runs programs somewhere: `ssh build-box`, `docker exec -i box`. */
export type Place = {
  readonly name: string;
  readonly command: readonly string[];
  /** After how many seconds without a byte of the host a bridge there ends itself. */
  readonly idleExitSeconds: number;
};

/**
 * How a bridge ended: `isConfirmed` is true if it is known that no Claude of it is left. Where it is
 * false, Claude may go on for `lingerMs`, and until then nobody may resume its conversation.
 */
export type BridgeEnd = { readonly isConfirmed: boolean; readonly reason?: string };

/** The link with a bridge: a process of its own, or a channel of one that is shared. */
export type BridgeLink = Pick<
  Tugtalk,
  "pid" | "send" | "request" | "messages" | "close" | "exited"
>;

/** A running bridge. Its `messages` end when it, or the connection with it, has ended. */
export type Bridge = Pick<BridgeLink, "pid" | "send" | "request" | "messages"> & {
  /** How long a Claude that is started so may go on when the connection is lost. 0 on this machine. */
  lingerMs(init: ProtocolInit): number;
  /** Ends it as a host's end of input does. Resolves like `ended`. */
  close(): Promise<BridgeEnd>;
  /** Resolves when it has ended or the connection is lost, and `messages` was read to its end. Never rejects. */
  readonly ended: Promise<BridgeEnd>;
};

/**
 * Starts bridges. Rejects with an `ApiError` if the place is unknown, its command cannot be started or
 * nothing answers there; then no Claude was started. `signal` gives up a start that takes long.
 */
export type BridgeStarter = (place: string, signal?: AbortSignal) => Promise<Bridge>;
