/** A transport without a host: it keeps what commands were given, and delivers what a test says. */
import type { Fields } from "../../../../client/claude-value.ts";
import type { HostFrame } from "../../../../client/session-input.ts";
import type { Transport, TransportStatus } from "../../../../client/transports/transport.ts";

export function testTransport(answer: Transport["command"] = async () => ({})) {
  const commands: { readonly name: string; readonly fields: Fields }[] = [];
  let deliver = (_frame: HostFrame) => {};
  let setStatus = (_status: TransportStatus) => {};
  const transport: Transport = {
    status: "connected",
    command: (name, fields = {}) => {
      commands.push({ name, fields });
      return answer(name, fields);
    },
    subscribe: (_session, _options, onFrame) => {
      deliver = onFrame;
      return () => {};
    },
    onStatus: (listener) => {
      setStatus = listener;
      return () => {};
    },
    close: () => {},
  };
  return {
    transport,
    commands,
    deliver: (frame: HostFrame) => deliver(frame),
    setStatus: (status: TransportStatus) => setStatus(status),
  };
}
