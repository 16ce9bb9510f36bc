/**
 * The WebSocket: one connection for all sessions of a client. Frames `{s, e, q, t, d}` go to it; commands
 * come from it and are answered by `{id, ok: true, …}` or `{id, ok: false, error, code}`. A session in an
 * answer has its id as `s`.
 */
import type { WebSocketHandler } from "bun";
import { MAX_MESSAGE_BYTES } from "../api/command-limits.ts";
import type { Caller } from "../api/host-session.ts";
import { type ClientDeps, SocketClient } from "./socket-client.ts";
import { PING_MS } from "./sse.ts";

/** The data with which the server upgrades a request. */
export type SocketData = { readonly caller: Caller; client?: SocketClient };

export type SocketDeps = Omit<ClientDeps, "pingMs"> & { readonly pingMs?: number };

/** For `Bun.serve({ websocket })`. */
export function socketHandlers(deps: SocketDeps): WebSocketHandler<SocketData> {
  const clientDeps: ClientDeps = { pingMs: PING_MS, ...deps };
  return {
    // Bun's own pings find a connection that is dead without an end; ours are for the page.
    idleTimeout: 60,
    sendPings: true,
    // Our own limit answers, so Bun's is above it.
    maxPayloadLength: MAX_MESSAGE_BYTES + 1024 * 1024,
    // `SocketOutlet` cuts off before. It lets a snapshot of any size pass.
    backpressureLimit: 1024 * 1024 * 1024,
    closeOnBackpressureLimit: true,
    perMessageDeflate: false,
    open(socket) {
      socket.data.client = new SocketClient(socket, socket.data.caller, clientDeps);
    },
    message(socket, message) {
      socket.data.client?.receive(message);
    },
    drain(socket) {
      socket.data.client?.drain();
    },
    close(socket) {
      socket.data.client?.close();
    },
  };
}
