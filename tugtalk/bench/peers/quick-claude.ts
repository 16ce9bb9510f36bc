/**
 * The executables that stand for Claude. For the start it is a shell script that contains its answers: it
 * starts in a millisecond or two, while a JavaScript runtime would take longer than a contender.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlannedLines } from "./planned-lines.ts";

/** Writes the executable that runs planned turns. */
export function writePlannedClaude(folder: string): string {
  const words = [process.execPath, join(import.meta.dir, "stand-in.ts")].map(quoted).join(" ");
  return writeScript(join(folder, "planned-claude"), `exec ${words} "$@"\n`);
}

/** The text of the quick executable in each turn. */
const FIRST_TEXT = "Hello.";

/** Writes the executable that answers every message with one short text. */
export function writeQuickClaude(folder: string): string {
  const lines = new PlannedLines(crypto.randomUUID());
  const turn =
    lines.opening(crypto.randomUUID(), "Hello?") +
    lines.textMessage("msg_quick", FIRST_TEXT, lines.textDelta(FIRST_TEXT)) +
    lines.result(FIRST_TEXT);
  const [head = "", tail = ""] = lines.answer("ID", true).trimEnd().split('"ID"');
  return writeScript(
    join(folder, "quick-claude"),
    [
      "while IFS= read -r line; do",
      "  case $line in",
      `  *'"type":"control_request"'*)`,
      `    id=\${line#*'"request_id":"'}`,
      `    printf '%s"%s"%s\\n' ${quoted(head)} "\${id%%'"'*}" ${quoted(tail)} ;;`,
      `  *'"type":"user"'*) printf %s ${quoted(turn)} ;;`,
      "  esac",
      "done\n",
    ].join("\n"),
  );
}

function writeScript(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
  return path;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
