/** One WebSocket for all sessions. Works in browsers, Bun, and Node from 22 on. */
import { apart } from "../apart.ts";
import { SocketTransport } from "./socket-transport.ts";
import type { HostAddress, Transport, TransportStatus } from "./transport.ts";

export function openWebSocketTransport(address: HostAddress): Transport {
  if (!("WebSocket" in globalThis))
    throw new Error("there is no WebSocket before Node 22; openHttpTransport needs none");
  const { token } = address;
  if (token === undefined) return new WebSocketTransport(address);
  const init = { headers: { authorization: `Bearer ${token}` } };
  return new WebSocketTransport(address, (url) => new (withHeaders())(url, init));
}

class WebSocketTransport extends SocketTransport {
  override onStatus(listener: (status: TransportStatus) => void): () => void {
    return super.onStatus(apart(listener));
  }
}

type HeaderWebSocket = new (
  url: URL,
  init: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/** Bun and Node send headers, which the types of browsers do not know; a browser throws. */
function withHeaders(): HeaderWebSocket {
  return WebSocket as unknown as HeaderWebSocket;
}
