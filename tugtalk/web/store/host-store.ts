/** The connection with the host, and the host's list of all sessions, as signals. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { HostFrame } from "../../client/session-input.ts";
import {
  type AllSessions,
  NO_SESSIONS,
  reduceAllSessions,
} from "../../client/stores/all-sessions.ts";
import {
  ALL_SESSIONS,
  type Transport,
  type TransportStatus,
} from "../../client/transports/transport.ts";
import { until } from "./until.ts";

export type HostStore = {
  readonly transport: Transport;
  readonly status: ReadonlySignal<TransportStatus>;
  readonly board: ReadonlySignal<AllSessions>;
};

/** `onFrame` has each frame of all sessions, too. */
export function openHostStore(
  transport: Transport,
  onFrame: (frame: HostFrame) => void = () => undefined,
): HostStore {
  const status = signal(transport.status);
  const board = signal(NO_SESSIONS);
  transport.onStatus((changed) => {
    status.value = changed;
  });
  transport.subscribe(ALL_SESSIONS, {}, (frame) => {
    board.value = reduceAllSessions(board.value, frame);
    onFrame(frame);
  });
  return { transport, status, board };
}

/** There is no connection any more. A page that has only begun to connect will be connected in a moment. */
export function isLost({ status, board }: HostStore): boolean {
  return status.value !== "connected" && board.value.isLoaded;
}

/** Resolves at once where the host is connected. */
export function untilConnected({ status }: HostStore): Promise<void> {
  return until(() => status.value === "connected");
}
