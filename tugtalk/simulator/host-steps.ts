/**
 * The short forms of a conversation for the host's program, as lines and answers. They are a hook, a call of
 * a tool with its hooks and its prompt, and a call of each tool of the host. Protocol reference §22 and §23.
 */
import { buildUser } from "./claude-lines.ts";
import type { ConversationEntry, PlayedEntry } from "./conversation.ts";
import { atHook } from "./host-questions.ts";
import { contentBlocksOf } from "./json-value.ts";
import { sampleOf } from "./sample-input.ts";
import { ending, opening } from "./shorthand.ts";
import type { SimulatorState } from "./simulator-state.ts";
import { textBlock } from "./stream-events.ts";
import { callOf } from "./tool-steps.ts";

/** An entry for requests to the host's program. */
export type ProgramEntry = Extract<ConversationEntry, { dir: "hook" | "call" | "host_calls" }>;

/** Whether `askProgram` writes this entry out. */
export function isOfProgram(entry: PlayedEntry): entry is ProgramEntry {
  return entry.dir === "hook" || entry.dir === "call" || entry.dir === "host_calls";
}

/** The entries that `entry` stands for, at this moment of the turn. */
export function askProgram(state: SimulatorState, entry: ProgramEntry): readonly PlayedEntry[] {
  if (entry.dir === "call") return callOf(state, entry.msg);
  if (entry.dir === "hook") return entry.msg === "Stop" ? atStop(state, 0) : atPrompt(state);
  const calls = state.program.tools.map(({ name, tool }): PlayedEntry => {
    return { dir: "call", msg: { name, input: sampleOf(tool.inputSchema) } };
  });
  return calls.length === 0 ? [say("This host has declared no tools.")] : calls;
}

/** A message of the model. */
function say(text: string): PlayedEntry {
  const content = [{ type: "text" as const, text }];
  return { dir: "reply", msg: { content, pieceChars: 14, delayMs: 15 } };
}

/** The hook for a prompt. The model does not see a refused message. */
function atPrompt(state: SimulatorState): readonly PlayedEntry[] {
  const said = contentBlocksOf(state.received).map(({ text }) => String(text ?? ""));
  const prompt = said.join("\n");
  return atHook(state, "UserPromptSubmit", { prompt }, ({ decision, reason, ...output }) => {
    if (decision !== "block" && output.continue !== false) return [];
    const result = `UserPromptSubmit operation blocked by hook:\n${reason}\n\n\nOriginal prompt: ${prompt}`;
    const { sessionId: session_id, newId } = state.session;
    const notice = { type: "system", subtype: "informational", content: result, level: "warning" };
    const told = { ...notice, prevent_continuation: true, uuid: newId(), session_id };
    for (const line of [...opening(state, {}).slice(0, -1), told, ...ending(state, { result })])
      state.printOfTurn(line);
    return undefined;
  });
}

/** The number of refusals to stop in a row after which the turn ends all the same. */
const REFUSALS_TO_STOP = 8;

function atStop(state: SimulatorState, refusals: number): readonly PlayedEntry[] {
  const fields = {
    stop_hook_active: refusals > 0,
    last_assistant_message: state.printed.lastText,
  };
  return atHook(state, "Stop", fields, ({ decision, reason }) => {
    if (decision !== "block" || refusals === REFUSALS_TO_STOP) return [];
    const feedback = buildUser(state.session, textBlock(`Stop hook feedback:\n${reason}`));
    return [
      { dir: "out", msg: { ...feedback, isSynthetic: true } },
      say(`I go on: ${reason}`),
      { dir: "then", msg: () => atStop(state, refusals + 1) },
    ];
  });
}
