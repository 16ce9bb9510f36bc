/** Sessions of a host whose Claude asks, and Claude's answers. */
import {
  type EventReader,
  type Fields,
  isPromptType,
  type SentEvent,
} from "../../../testing/drivers/host-clients.ts";
import { type AskedTool, askingTurn } from "../../../testing/drivers/host-conversations.ts";
import type { TestHost, TestHostSession } from "../../../testing/drivers/host-process.ts";

export const COLOUR = "Which colour?";
export const SIZES = "Which sizes?";
const labels = (...names: string[]) => names.map((label) => ({ label, description: label }));
export const QUESTIONS = [
  { question: COLOUR, header: "Colour", options: labels("Red", "Blue"), multiSelect: false },
  { question: SIZES, header: "Sizes", options: labels("S", "M", "L"), multiSelect: true },
];
/** A form with both questions. */
export const form = (id: string): AskedTool => ({
  id,
  name: "AskUserQuestion",
  input: { questions: QUESTIONS },
});

export type AskedSession = {
  readonly session: TestHostSession;
  readonly events: EventReader;
  /** The data of the event with which the prompt came. */
  readonly prompt: Fields;
};

/** A session whose Claude asks, one turn for each tool, up to the first prompt. */
export async function asked(
  host: TestHost,
  tools: readonly AskedTool[],
  fields: Fields = {},
): Promise<AskedSession> {
  const conversation = tools.flatMap((one) => askingTurn(one));
  const session = await host.createSession({ conversation, ...fields });
  const events = await session.events();
  return { session, events, prompt: await nextPrompt(session, events) };
}

/** The data of the prompt that begins the next turn. */
export async function nextPrompt(session: TestHostSession, events: EventReader): Promise<Fields> {
  await session.message("go");
  return (await events.next(({ type }) => isPromptType(type))).data;
}

/** Claude's answer for a prompt: the innermost `response`. */
export async function answerTo(session: TestHostSession, requestId: string): Promise<unknown> {
  const line = await session.claudeHears(isAnswerTo(requestId));
  return Object(line["response"])["response"];
}

/** Whether a line of Claude's stdin answers this prompt. */
export const isAnswerTo = (requestId: string) => (line: Fields) =>
  line["type"] === "control_response" && Object(line["response"])["request_id"] === requestId;

/** Whether an event is of this type and prompt. */
export const isOf =
  (type: string, requestId: string) =>
  (event: SentEvent): boolean =>
    event.type === type && event.data["request_id"] === requestId;
