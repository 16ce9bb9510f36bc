/** The stand-in taking orders: the test's end of the socket behind `TUGTALK_SIM_TROUBLE`. */
import { join } from "node:path";
import { type Order, Report } from "../../simulator/trouble.ts";
import { folder } from "./written-conversation.ts";

/** One Claude that obeys. */
export type TroubledClaude = {
  readonly pid: number;
  /** The process that started it, which is the bridge. */
  readonly parent: number;
  /** Gives it orders, one after the other. */
  readonly obey: (...orders: readonly Order[]) => Promise<void>;
  /** Resolves when a read of its stdin had this text in it. */
  readonly hasHeard: (text: string) => Promise<void>;
  /** Whether it read the end of its stdin before it was gone. */
  readonly hasHeardEnd: Promise<boolean>;
  /** Asks how many lines its flood has had so far. */
  readonly countFlood: () => Promise<number>;
  /** Has it start a tool that runs for longer than any test; gives the id of that process. */
  readonly runTool: () => Promise<number>;
};

/** Where Claudes report, and take orders. */
export type OrderRoom = {
  readonly env: Readonly<Record<string, string>>;
  /** The first Claude. It keeps what it reads until it is told to listen; those after it listen. */
  readonly first: Promise<TroubledClaude>;
  readonly close: () => void;
};

const LONG_TOOL = ["sleep", "600"];

let rooms = 0;

/** Opens a socket for the Claudes of one bridge. */
export function openOrderRoom(): OrderRoom {
  const path = join(folder, `orders-${rooms++}`);
  const first = Promise.withResolvers<TroubledClaude>();
  let hasFirst = false;
  const server = Bun.listen<Desk>({
    unix: path,
    socket: {
      open: (socket) => {
        socket.data = openDesk((order) => void socket.write(`${JSON.stringify(order)}\n`));
        if (hasFirst) socket.data.write({ order: "listen" });
        else void socket.data.claude.then(first.resolve);
        hasFirst = true;
      },
      data: (socket, chunk) => socket.data.take(chunk.toString()),
      close: (socket) => socket.data.leave(),
    },
  });
  return {
    env: { TUGTALK_SIM_TROUBLE: path },
    first: first.promise,
    close: () => void server.stop(true),
  };
}

/** One connection. */
type Desk = {
  readonly claude: Promise<TroubledClaude>;
  readonly write: (order: Order) => void;
  readonly take: (text: string) => void;
  /** It reports no more. */
  readonly leave: () => void;
};

function openDesk(write: (order: Order) => void): Desk {
  const claude = Promise.withResolvers<TroubledClaude>();
  const tool = Promise.withResolvers<number>();
  const end = Promise.withResolvers<boolean>();
  const counts: PromiseWithResolvers<number>[] = [];
  const listeners = new Set<() => void>();
  const given: PromiseWithResolvers<void>[] = [];
  let heard = "";
  let rest = "";
  const hasHeard = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!heard.includes(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  const note = (report: Report) => {
    if ("tool" in report) tool.resolve(report.tool);
    else if ("counted" in report) counts.shift()?.resolve(report.counted);
    else if ("heardEnd" in report) end.resolve(true);
    else if ("obeyed" in report) given.shift()?.resolve();
    else if ("heard" in report) {
      heard += report.heard;
      for (const listener of [...listeners]) listener();
    } else {
      const hasHeardEnd = end.promise;
      claude.resolve({ ...report, obey, hasHeard, hasHeardEnd, countFlood, runTool });
    }
  };
  const obey = async (...orders: readonly Order[]) => {
    for (const order of orders) {
      const obeyed = Promise.withResolvers<void>();
      given.push(obeyed);
      write(order);
      await obeyed.promise;
    }
  };
  const countFlood = () => {
    const count = Promise.withResolvers<number>();
    counts.push(count);
    void obey({ order: "count" });
    return count.promise;
  };
  const runTool = () => {
    void obey({ order: "run_tool", command: [...LONG_TOOL] });
    return tool.promise;
  };
  const take = (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) note(Report.parse(JSON.parse(line)));
  };
  return { claude: claude.promise, write, take, leave: () => end.resolve(false) };
}
