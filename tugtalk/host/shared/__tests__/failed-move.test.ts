/** A session whose move failed, and that this host cannot run. */
import { expect, spyOn, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { ApiError } from "../../api/api-error.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { LiveSession } from "../../sessions/live-session.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { HeldSessions } from "../held-sessions.ts";
import type { SessionDirectory } from "../session-directory.ts";
import type { SharedCommands } from "../shared-commands.ts";
import { SharedMoves } from "../shared-moves.ts";

test("a move that has failed tells its reason, also where the session cannot be handed back", async () => {
  const row = { ...sessionRow("moved"), mirror: {} };
  const reason = new ApiError(409, "restore_refused", "something else lies there");
  const away = new Error("it is away");
  const told = spyOn(console, "error").mockReturnValue();
  let isTold = false;
  // The test reaches no other parts of them.
  const moves = new SharedMoves({
    own: { move: () => Promise.reject(reason) } as unknown as Sessions,
    held: {
      takeAnywhere: async () => ({ row }) as LiveSession,
      canRun: () => false,
      handOver: () => Promise.reject(away),
    } as unknown as HeldSessions,
    directory: { rows: { refresh: async () => {} }, row: () => row } as unknown as SessionDirectory,
    commands: { checkLease: () => {} } as unknown as SharedCommands,
    machine: "here",
    onMoved: async () => {
      isTold = true;
    },
  });
  const to = { place: "local", dir: "/work", isForced: false };
  expect(await failureOf(moves.move(row.id, to))).toBe(reason);
  expect(isTold).toBe(true);
  expect(told.mock.calls).toMatchObject([[expect.stringContaining("it is away")]]);
  told.mockRestore();
});
