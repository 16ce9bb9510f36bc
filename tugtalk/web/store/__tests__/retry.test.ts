/** Which messages of a person can be gone back to. */
import { expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { lostCommands } from "../../../client/rewound-entries.ts";
import type { TranscriptEntry, UserItem } from "../../../client/transcript-models.ts";
import { MEASURED_VERSIONS } from "../../../simulator/measured-versions.ts";
import { canRetry } from "../retry.ts";

const SAID: UserItem = { kind: "user", key: "k", source: "host", text: "Go", messageId: "m" };
const PRINTED: UserItem = { kind: "user", key: "o", source: "command_output", text: "$0" };

/** A turn, of which the first item is asked about; whether each measured Claude, the oldest first, can go back to it. */
const ROWS: readonly [readonly UserItem[], ...boolean[]][] = [
  [[SAID], true, true, true],
  [[{ ...SAID, text: "/review" }], false, true, true],
  [[{ ...SAID, text: "/cost" }, PRINTED], false, false, true],
  [[PRINTED], false, false, false],
];

test.each(ROWS)("%j: %p, %p, %p", (items, ...expected) => {
  const [item = SAID] = items;
  const entry = { kind: "turn", items } as unknown as TranscriptEntry;
  const can = MEASURED_VERSIONS.flatMap((claude_version) => {
    const capabilities = { type: "session_capabilities", ipc_version: 2, seq: 1, claude_version };
    const lost = lostCommands({ capabilities: capabilities as never });
    return [true, false].map((isOpen) =>
      canRetry(item, {
        lostCommands: signal(lost),
        entries: signal(isOpen ? [] : [entry]),
        openEntries: signal(isOpen ? [entry] : []),
      }),
    );
  });
  // In an open turn, and in a finished one.
  expect(can).toEqual(expected.flatMap((one) => [one, one]));
});
