/** A transport that is told what to deliver. */
import type { Fields } from "../../../../client/claude-value.ts";
import type { HostFrame } from "../../../../client/session-input.ts";
import type { Transport } from "../../../../client/transports/transport.ts";

export function deliveringTransport(answer: () => Promise<Fields> = () => Promise.resolve({})) {
  let deliver = (_frame: HostFrame) => {};
  const transport: Transport = {
    status: "connected",
    command: answer,
    subscribe: (_session, _options, onFrame) => {
      deliver = onFrame;
      return () => {};
    },
    onStatus: () => () => {},
    close: () => {},
  };
  return { transport, deliver: (frame: HostFrame) => deliver(frame) };
}
