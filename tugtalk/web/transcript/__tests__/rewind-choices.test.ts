/** The choices of the dialog that goes back to before a message. */
import { expect, test } from "bun:test";
import type { RewindPreview } from "../../../client/rewind-models.ts";
import { choicesOf, filesText } from "../rewind-choices.ts";

const FILES = { ok: true, paths: ["/a", "/b"], insertions: 1, deletions: 3 } as const;
const UNCHANGED = { ok: true, paths: [], insertions: 0, deletions: 0 } as const;
const NO_FILES = { ok: false, error: "No file checkpoint found for this message." } as const;
const YES = { ok: true } as const;
const NO = { ok: false, error: "the conversation was summarised since" } as const;

/** The host's answer; the choices, the first of which is the default; the amount. */
const ROWS: readonly [RewindPreview, string[], string][] = [
  [
    { files: FILES, conversation: YES },
    ["both", "conversation", "files"],
    "2 files: 1 line comes back, 3 lines go.",
  ],
  [{ files: UNCHANGED, conversation: YES }, ["conversation"], ""],
  [{ files: NO_FILES, conversation: YES }, ["conversation"], ""],
  [{ files: FILES, conversation: NO }, ["files"], "2 files: 1 line comes back, 3 lines go."],
  [{ files: NO_FILES, conversation: NO }, [], ""],
];

test.each(ROWS)("%j: %p, %p", (preview, open, amount) => {
  const choices = choicesOf(preview);
  const chosen = choices.flatMap(({ what, problem }) => (problem === undefined ? [what] : []));
  expect(chosen).toEqual(open as typeof chosen);
  expect(filesText(preview)).toBe(amount);
});

test("a choice that is not possible says why", () => {
  const [both, conversation, files] = choicesOf({ files: NO_FILES, conversation: NO });
  expect([both?.problem, files?.problem]).toEqual([NO_FILES.error, NO_FILES.error]);
  expect(conversation?.problem).toBe(NO.error);
});
