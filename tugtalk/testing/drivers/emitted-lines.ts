/**
 * The one way in which tests, benchmarks and stand-in hosts read the output of a bridge: each line is
 * checked against its schema. A fault does not disturb the reader; it fails the running test at its
 * end (`isolate.ts`), or throws where no test runs.
 */
import { appendFileSync } from "node:fs";
import { openStamp } from "../../src/ipc.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { FAULTS_FILE } from "./emitted-faults.ts";
import { outboundFaults } from "./outbound-check.ts";

/** A message of a bridge. */
export type EmittedMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** Reads one line of a bridge, without or with its LF. Throws when it is no JSON. */
export function parseEmitted(line: string): EmittedMessage {
  const message: EmittedMessage = JSON.parse(line);
  const faults = outboundFaults(message);
  if (faults.length > 0) reportFaults(faults, line);
  return message;
}

/** Reads the whole lines of a text that may end within a line. */
export function parseEmittedText(text: string): EmittedMessage[] {
  return text.split("\n").slice(0, -1).map(parseEmitted);
}

/** Checks messages that are emitted before a writer stamps them. Each session needs one of its own. */
export function openDraftCheck(): (draft: OutboundDraft) => void {
  const stamp = openStamp();
  return (draft) => void parseEmitted(stamp.line(draft));
}

/** Checks one message that no writer has stamped, and returns it. */
export function checkDraft<Draft extends OutboundDraft>(draft: Draft): Draft {
  openDraftCheck()(draft);
  return draft;
}

/** An `emit` for tests, which checks and keeps the messages. */
export function collectEmitted() {
  const emitted: OutboundDraft[] = [];
  const check = openDraftCheck();
  const emit = (draft: OutboundDraft): void => {
    check(draft);
    emitted.push(draft);
  };
  return { emitted, emit };
}

const MAX_SHOWN = 500;

function reportFaults(faults: readonly string[], line: string): void {
  const text = `${faults.join("\n")}\n  in ${line.trimEnd().slice(0, MAX_SHOWN)}\n`;
  const path = process.env[FAULTS_FILE];
  if (path === undefined) throw new Error(text);
  appendFileSync(path, text);
}
