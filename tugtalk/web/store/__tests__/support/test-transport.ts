/** A transport without a host: it keeps the commands that were given, and delivers the frames of a test. */
import type { Fields } from "../../../../client/claude-value.ts";
import type { HostCommand } from "../../../../client/host-routes.ts";
import type { HostFrame } from "../../../../client/session-input.ts";
import type { Transport, TransportStatus } from "../../../../client/transports/transport.ts";

/** The answers of a host, or as much of them as a test is about. */
type Answer = (name: HostCommand, fields: Fields) => Promise<Fields>;

export function testTransport(answer: Answer = async () => ({})) {
  const commands: { readonly name: string; readonly fields: Fields }[] = [];
  let deliver = (_frame: HostFrame) => {};
  let setStatus = (_status: TransportStatus) => {};
  const transport: Transport = {
    status: "connected",
    command: ((name: HostCommand, fields: Fields = {}) => {
      commands.push({ name, fields });
      return answer(name, fields);
    }) as Transport["command"],
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
