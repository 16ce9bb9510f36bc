/** The file of a recording: written in order, bounded, and ended with one line in the log. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile, MAX_UNWRITTEN } from "../recording-file.ts";

const folder = mkdtempSync(join(tmpdir(), "recording-file-"));
let files = 0;

async function openFile() {
  const path = join(folder, `${files++}`);
  const problems: string[] = [];
  const file = await createRecordingFile(path, (words) => void problems.push(words));
  return { file, problems, text: () => readFileSync(path, "utf8") };
}

test("a full write buffer ends the recording with one log line", async () => {
  const { file, problems, text } = await openFile();
  const piece = "x".repeat(MAX_UNWRITTEN / 4);
  file.write("first\n");
  for (let count = 0; count < 8; count += 1) file.write(piece);
  file.write("last\n");
  await file.close();
  expect(problems).toEqual([
    expect.stringMatching(/^the recording ends here: \d+ characters wait for the disk$/),
  ]);
  expect(text()).not.toContain("last");
});

test("no text is written after the recording has ended", async () => {
  const { file, problems, text } = await openFile();
  file.write("one");
  file.giveUp("enough");
  file.write("two");
  file.giveUp("enough again");
  await file.close();
  file.write("three");
  expect(text()).toBe("");
  expect(problems).toEqual(["the recording ends here: enough"]);
});
