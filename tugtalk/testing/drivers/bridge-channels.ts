/** Starts a bridge with `--multiplex`, and sorts its messages by channel. */
import {
  type BridgeOptions,
  type Received,
  startBridge,
  type TestBridge,
} from "./bridge-process.ts";
import { Inbox } from "./inbox.ts";

/** One channel; or the process, whose messages have no channel. */
export type TestChannel = Pick<TestBridge, "received" | "sentIds" | "send" | "next">;

export type TestChannels = {
  readonly bridge: TestBridge;
  /** The messages without a channel. A message that it sends has no channel either. */
  readonly process: TestChannel;
  /** The messages under this name, for one life of the channel: the next one is opened anew. */
  readonly open: (name: string) => TestChannel;
};

/** Starts it. End `bridge` in `afterEach`. */
export function startChannels({ args = [], ...rest }: BridgeOptions = {}): TestChannels {
  const inboxes = new Map<unknown, Inbox<Received>>();
  const onReceived = (message: Received) => inboxes.get(message["channel"])?.add(message);
  const bridge = startBridge({ ...rest, args: ["--multiplex", ...args], onReceived });
  const open = (channel?: string): TestChannel => {
    const inbox = new Inbox<Received>();
    inboxes.set(channel, inbox);
    void bridge.exited.then(() => inbox.end(new Error(`the bridge ended: ${bridge.stderr()}`)));
    const sentIds: string[] = [];
    return {
      received: inbox.received,
      sentIds,
      send: (message) => {
        if (typeof message["id"] === "string") sentIds.push(message["id"]);
        bridge.send(channel === undefined ? message : { ...message, channel });
      },
      next: (fits) => inbox.next(typeof fits === "string" ? ({ type }) => type === fits : fits),
    };
  };
  return { bridge, process: open(), open };
}
