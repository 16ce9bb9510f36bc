/** What a contender holds in memory while its host reads nothing, and while it then reads everything. */
import { MemoryWatch } from "../memory-watch.ts";
import { openPausedPipe } from "./paused-pipe.ts";
import { Peer } from "./peer.ts";
import { PeerProcess } from "./peer-process.ts";
import { greet, type Scenario } from "./scenario.ts";

const DELTAS_IN_MESSAGE = 1000;
const CHARS = 16;

export const SILENCE_SCENARIO: Scenario = {
  name: "silent-host",
  what: (isQuick) =>
    `a host that reads nothing for ${secondsOf(isQuick)} s while Claude says ${deltasOf(isQuick)} deltas`,
  measure: async (contender, { folder, planned, isQuick }) => {
    const pipe = await openPausedPipe(folder);
    const running = new PeerProcess(contender, { folder, claude: planned }, pipe);
    pipe.closeWriter();
    const peer = new Peer(running, contender.dialect, folder);
    try {
      await greet(peer);
      const memory = new MemoryWatch(peer.pid, "silent");
      const resume = pipe.pause();
      const messages = deltasOf(isQuick) / DELTAS_IN_MESSAGE;
      const flood = { kind: "flood", messages, deltas: DELTAS_IN_MESSAGE, chars: CHARS } as const;
      const turn = peer.turn([flood], "end only");
      await Bun.sleep(secondsOf(isQuick) * 1000);
      memory.enter("reading");
      const startedAt = performance.now();
      resume();
      await turn;
      const drainedMs = performance.now() - startedAt;
      memory.stop();
      return {
        "silent peak MB": memory.peakOf("silent"),
        "reading peak MB": memory.peakOf("reading"),
        "drained ms": drainedMs,
      };
    } finally {
      await running.end();
    }
  },
};

function secondsOf(isQuick: boolean): number {
  return isQuick ? 1 : 5;
}

function deltasOf(isQuick: boolean): number {
  return isQuick ? 50_000 : 200_000;
}
