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

/** The data of the upgrade. */
export type SocketData = { readonly caller: Caller; client?: SocketClient };

export type SocketDeps = Omit<ClientDeps, "pingMs"> & { readonly pingMs?: number };

/** The option `websocket` of `Bun.serve`. */
export function socketHandlers(deps: SocketDeps): WebSocketHandler<SocketData> {
  const clientDeps: ClientDeps = { pingMs: PING_MS, ...deps };
  return {
    // Bun's own pings find dead connections; ours are for the page.
    idleTimeout: 60,
    sendPings: true,
    // Bun's limit is above our own, so that ours gives the answer.
    maxPayloadLength: MAX_MESSAGE_BYTES + 1024 * 1024,
    // `SocketOutlet` cuts off earlier. Its limit lets a snapshot of any size pass.
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
