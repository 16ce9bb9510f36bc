/** A bridge that runs for one session, here or on a place, and how one is started. */
import type { Tugtalk } from "../../spawn/spawn.ts";

/** A command prefix that runs programs somewhere: `ssh build-box`, `docker exec -i box`. */
export type Place = {
  readonly name: string;
  /** Empty for this machine. */
  readonly command: readonly string[];
  /** After how many seconds without a byte of the host a bridge there ends itself. */
  readonly idleExitSeconds: number;
};

/** How a bridge ended: `confirmed` is true if it is known that no Claude of it is left. */
export type BridgeEnd = { readonly isConfirmed: boolean; readonly reason?: string };

/** A running bridge. Its `messages` end when the process, or the connection with it, has ended. */
export type Bridge = Pick<Tugtalk, "pid" | "send" | "request" | "messages"> & {
  /** Ends it as a host's end of input does. */
  close(): Promise<BridgeEnd>;
  /** Resolves when it has ended or the connection is lost. Never rejects. */
  readonly ended: Promise<BridgeEnd>;
};

/** Starts bridges. Rejects with an `ApiError` if the place is unknown or its command cannot be started. */
export type BridgeStarter = (place: string) => Promise<Bridge>;
