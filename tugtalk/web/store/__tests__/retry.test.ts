/** Which messages of a person can be gone back to. */
import { expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { lostCommands } from "../../../client/rewound-entries.ts";
import type { UserItem } from "../../../client/transcript-models.ts";
import { canRetry } from "../retry.ts";

const SAID: UserItem = { kind: "user", key: "k", source: "host", text: "Go", messageId: "m" };

/** What was said; whether the oldest Claude and the newest one can go back to it. */
const ROWS: readonly [UserItem, boolean, boolean][] = [
  [SAID, true, true],
  [{ ...SAID, text: "/review" }, false, true],
  [{ ...SAID, source: "command_output" }, false, false],
];

test.each(ROWS)("%j: %p, %p", (item, withOldest, withNewest) => {
  const can = ["2.1.38", "2.1.330"].map((claude_version) => {
    const capabilities = { type: "session_capabilities", ipc_version: 2, seq: 1, claude_version };
    const lost = lostCommands({ capabilities: capabilities as never });
    return canRetry(item, { losesCommands: signal(lost === "all") });
  });
  expect(can).toEqual([withOldest, withNewest]);
});
