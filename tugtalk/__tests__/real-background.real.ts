/** The end of a real `claude` that has no turn and works in the background. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { expectEnd } from "../testing/real/real-end.ts";
import { commandThrough, startGate } from "../testing/real/real-gate.ts";
import { untilWritten } from "../testing/real/real-history.ts";
import { atPlace, describeReal } from "../testing/real/real-kill.ts";
import { callTool, startRealSession } from "../testing/real/real-session.ts";

for (const version of MEASURED_VERSIONS)
  describeReal("background work at the end", version, () => {
    test.each(["the end of stdin", "a shutdown", "a session_command"])(
      "Claude asks no model and runs no tool after %s",
      (how) =>
        atPlace(version, async (place) => {
          using gate = startGate();
          const session = startRealSession(place, { options: { allowed_tools: ["Bash"] } });
          const input = { command: commandThrough(gate), run_in_background: true };
          session.say("start", callTool("Bash", input), "Started.");
          await session.turn();
          await gate.reached;
          await untilWritten(session, "Started.");
          place.api.script(callTool("Bash", { command: "touch done" }), "Done.");
          const requests = place.api.requests.length;
          if (how === "the end of stdin") session.bridge.closeInput();
          else if (how === "a shutdown") session.send({ type: "shutdown" });
          else session.send({ type: "session_command", command: "new" });
          await session.next("process_exit");
          expect(place.api.requests).toHaveLength(requests);
          expect(await Bun.file(join(place.home.project, "done")).exists()).toBe(false);
          if (how === "a session_command") await session.next("session_init");
          await expectEnd(session, how === "a session_command" ? 2 : 1);
        }),
    );
  });
