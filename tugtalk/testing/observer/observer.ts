/**
 * The guarantees of the contract, as one function over the traffic of a bridge's pipes. Of the bridge it
 * knows only the schemas. One file for each group of guarantees; this one checks every message.
 */
import { outboundFaults } from "../drivers/outbound-check.ts";
import { describe, type Message, type Observed } from "./observed.ts";
import { answerFaults } from "./observer-answers.ts";
import { blockFaults } from "./observer-blocks.ts";
import { claudeFaults } from "./observer-claude.ts";
import { silenceFaults } from "./observer-lines.ts";
import { outputFaults } from "./observer-outputs.ts";
import { processFaults, programFaults, promptFaults } from "./observer-processes.ts";
import { receiptFaults } from "./observer-receipts.ts";
import { transcriptFaults } from "./observer-transcripts.ts";
import { costFaults, turnFaults } from "./observer-turns.ts";
import { waitFaults } from "./observer-waits.ts";

/** Every broken guarantee, as a sentence. */
export function observe(observed: Observed): string[] {
  const { received, sentIds, messageIds, sent, claudes, lineOutcomes, isOver } = observed;
  const messages = received as readonly Message[];
  return [
    ...messages.flatMap(outboundFaults),
    ...sequenceFaults(messages, sentIds),
    ...turnFaults(messages, isOver),
    ...costFaults(messages, isOver),
    ...blockFaults(messages, isOver),
    ...receiptFaults(messages, isOver, messageIds),
    ...promptFaults(messages, isOver),
    ...programFaults(messages),
    ...processFaults(messages, isOver),
    ...transcriptFaults(messages),
    ...(sent === undefined ? [] : answerFaults(messages, sent, isOver)),
    ...(claudes ?? []).flatMap((claude) => claudeFaults(messages, claude)),
    ...(claudes ?? []).flatMap((claude) => waitFaults(messages, claude)),
    ...(claudes === undefined ? [] : outputFaults(messages, claudes)),
    ...silenceFaults(lineOutcomes ?? []),
  ];
}

/** The types that may precede `protocol_ack`. */
const EARLY_TYPES = [
  "error",
  "session_list_result",
  "session_history_result",
  "transcript_restore_result",
  "channel_closed",
];

function sequenceFaults(messages: readonly Message[], sentIds?: readonly string[]): string[] {
  const faults: string[] = [];
  messages.forEach((message, index) => {
    if (message["seq"] !== index + 1) faults.push(`seq ${message["seq"]} at place ${index + 1}`);
    const reply = message["in_reply_to"];
    if (sentIds !== undefined && typeof reply === "string" && !sentIds.includes(reply)) {
      faults.push(`${describe(message)} answers ${reply}, which was never sent`);
    }
  });
  const first = messages.find(({ type }) => !EARLY_TYPES.includes(type));
  if (first !== undefined && first.type !== "protocol_ack")
    faults.push(`${first.type} precedes protocol_ack`);
  if (messages.filter(({ type }) => type === "protocol_ack").length > 1)
    faults.push("protocol_ack comes twice");
  return faults;
}
