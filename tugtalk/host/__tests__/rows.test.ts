/**
 * Which test shows which row of the acceptance list, and which test shows which of its twelve rules. The
 * ids are those of the four plans that the host was ordered by: K, D and F with a number.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../testing/drivers/import-graph.ts";

/** A test by its file, and its name or the name of its row in a table. */
type Named = readonly [file: string, name: string];

const PROMPTS = "host/__tests__/rows-prompts.test.ts";
const INTERACTIVE = "host/__tests__/rows-interactive-tools.test.ts";
const MESSAGES = "host/__tests__/rows-messages.test.ts";
const RESTART = "host/__tests__/restart.test.ts";
const SUBSCRIPTION = "host/stream/__tests__/subscription.test.ts";
const PERMISSION_TEXTS = "src/session/__tests__/session-controls.test.ts";

/** Rows about what the bridge does inside, and what is tested elsewhere; most have a test here, too. */
const ELSEWHERE: Readonly<Record<string, readonly Named[]>> = {
  K2: [
    [
      "src/__tests__/control.test.ts",
      "sendControlRequest writes one line with request_id and request.subtype",
    ],
    [
      "src/__tests__/control.test.ts",
      "sendControlResponse writes one line with response.subtype and response.request_id",
    ],
    ["src/process/__tests__/claude-pipes.test.ts", "is dropped after its input was closed"],
  ],
  K4: [
    [
      "src/session/__tests__/session-prompts.test.ts",
      "two open prompts can be answered in any order",
    ],
    [
      "src/session/__tests__/session-lines.test.ts",
      "an invalid line of Claude is followed by the next line when an emit throws",
    ],
  ],
  K7: [
    [
      "src/session/__tests__/session-requests.test.ts",
      "a hook_callback is refused, since no host has declared one",
    ],
  ],
  K19: [[PERMISSION_TEXTS, "prompt_timeout_ms is off by default"]],
  D7: [
    [PERMISSION_TEXTS, "Tool approval timed out after 10 minutes"],
    [PERMISSION_TEXTS, "User did not respond within 10 minutes"],
  ],
  D11: [
    [
      "client/transports/__tests__/transports.test.ts",
      "a refused command rejects with status, code, words and further fields",
    ],
  ],
  F20: [
    [
      "src/claude/__tests__/claude-process-port.test.ts",
      "a Claude that ignores SIGTERM gets SIGKILL",
    ],
  ],
  F23: [
    [SUBSCRIPTION, "a client that cannot be sent to is cut off, and the others get the same batch"],
  ],
  F24: [["src/base/__tests__/lines.test.ts", "holds for chunks of one byte"]],
  F26: [
    ["src/process/__tests__/claude-command.test.ts", "leaves out entries that are for the bridge"],
  ],
};

/** What hosts of this kind got wrong before, and the tests that it is right here. */
const RULES: readonly (readonly [rule: string, ...tests: readonly Named[]])[] = [
  [
    "One ordered journal a session, written before anything is sent",
    [
      RESTART,
      "everything that a client has seen is in the journal after the host was killed, with the same cursors",
    ],
    [
      RESTART,
      "the snapshot after a restart is the state that a client reduces from the whole journal",
    ],
  ],
  [
    "A reconnect begins with a verdict, and after a gap a snapshot replaces all",
    [SUBSCRIPTION, "with its last cursor a client gets the verdict ok and what it has missed"],
    [
      SUBSCRIPTION,
      "without a cursor a client gets the verdict gap, one snapshot, and then what is committed",
    ],
  ],
  [
    "The snapshot has the open turn, the open prompts and the queue",
    [
      PROMPTS,
      "K17, K31: a page that opens late finds the open turn, prompt and queue in its snapshot",
    ],
  ],
  [
    "Commands have a client's id, and what a person typed is never sent twice",
    [
      MESSAGES,
      "K26: the same client id again gives the same answer and sends nothing, and with another text 409",
    ],
    [RESTART, "a repeated client id is answered as before the restart, and nothing is sent"],
    [RESTART, "the message that was on its way is failed and not sent again"],
  ],
  [
    "A turn has one end, and a late result does not end the next",
    [
      MESSAGES,
      "K22, K29: after an interrupt the turn has one end, and the next message its own turn",
    ],
    [
      "src/session/__tests__/session-prompts.test.ts",
      "an unanswered prompt is not withdrawn by the delayed result of the previous turn",
    ],
  ],
  [
    "A prompt is resolved once and for all clients, also by an interrupt and the end of Claude",
    [
      PROMPTS,
      "K12, K27, K28: an answer to a prompt that never existed is 404, and a second one 409 with who answered",
    ],
    [PROMPTS, "K35: every client is told of the decision and who made it"],
    [MESSAGES, "K29: an interrupt works while a prompt is open, and closes it for all"],
    [RESTART, "what was open is ended, and a prompt that died with Claude cannot be answered"],
  ],
  [
    "A page sends its decision, and answers are translated in one place",
    [
      PROMPTS,
      "K10, K27: allow gives Claude the original input, and deny a reason or a text of its own",
    ],
    [
      "host/prompts/__tests__/answer-message.test.ts",
      "annotations may name a question by its text or its index, too",
    ],
  ],
  [
    "People have no time limit, and watchdogs stop while a prompt is open",
    [PERMISSION_TEXTS, "prompt_timeout_ms is off by default"],
    [
      "src/run/__tests__/stall-detector.test.ts",
      "the limit pauses while a prompt is open and begins again with its answer",
    ],
  ],
  [
    "Questions and plans are never approved by the host, and the mode is Claude's",
    [
      INTERACTIVE,
      "D5: Claude decides what it asks, and the host passes on every question and permission in every mode",
    ],
  ],
  [
    "Stop works while a prompt is open, and gives back what waits",
    [MESSAGES, "K29: an interrupt works while a prompt is open, and closes it for all"],
    [
      MESSAGES,
      "K29: an interrupt gives back what waited with ids and attachments, and nothing of it reaches Claude",
    ],
  ],
  [
    "Claude is ready before its first init",
    [MESSAGES, "F22, K26: messages to a session whose Claude is still starting arrive in order"],
    [
      "src/session/__tests__/session-starts.test.ts",
      "a start of Claude sends initialize first, and emits session_init after the answer",
    ],
  ],
  [
    "It is shown with a Claude that records its stdin, several clients, and kills in each state",
    [PROMPTS, "K35: every client is told of the decision and who made it"],
    [
      RESTART,
      "everything that a client has seen is in the journal after the host was killed, with the same cursors",
    ],
  ],
];

const LAST_ROW = { K: 36, D: 11, F: 27 } as const;

const ROWS = Object.entries(LAST_ROW).flatMap(([plan, last]) =>
  Array.from({ length: last }, (_, index) => `${plan}${index + 1}`),
);

/** The ids with which names of tests of the host begin. */
const SHOWN = [...new Bun.Glob("*.test.ts").scanSync(import.meta.dir)].flatMap((file) => {
  const text = readFileSync(join(import.meta.dir, file), "utf8");
  const names = text.matchAll(/"((?:[KDF]\d+, )*[KDF]\d+): /g);
  return [...names].flatMap(([, ids = ""]) => ids.split(", "));
});

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("every row K1 to K36, D1 to D11 and F1 to F27 has a test, and no test names another row", () => {
  const shown = new Set([...SHOWN, ...Object.keys(ELSEWHERE)]);
  expect(ROWS.filter((row) => !shown.has(row))).toEqual([]);
  expect([...shown].filter((row) => !ROWS.includes(row))).toEqual([]);
});

test("each test that shows a row or a rule exists", () => {
  const rules = RULES.flatMap(([, ...tests]) => tests);
  expect(RULES).toHaveLength(12);
  const lost = [...Object.values(ELSEWHERE).flat(), ...rules].filter(
    ([file, name]) => !textOf(file).includes(`"${name}"`),
  );
  expect(lost).toEqual([]);
});
