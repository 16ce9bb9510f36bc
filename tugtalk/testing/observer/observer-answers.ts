/** The answers to the host's messages: guarantees 1 and 4, and acceptance in guarantee 3. */
import { describe, fieldsOf, type Message, type Sent } from "./observed.ts";

/** The messages that may answer each type directly; `error` may answer any. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  protocol_init: ["protocol_ack"],
  user_message: ["message_status"],
  tool_approval: ["control_request_resolved"],
  question_answer: ["control_request_resolved"],
  elicitation_answer: ["control_request_resolved"],
  dialog_answer: ["control_request_resolved"],
  session_list: ["session_list_result"],
  session_history: ["session_history_result"],
  transcript_restore: ["transcript_restore_result"],
  interrupt: ["control_result"],
  permission_mode: ["control_result"],
  model_change: ["control_result"],
  session_command: ["control_result"],
  stop_task: ["control_result"],
  cancel_message: ["control_result"],
  control: ["control_result"],
  host_tools: ["control_result"],
  host_tool_answer: ["control_request_resolved"],
  hook_answer: ["control_request_resolved"],
};

/** Answered by the end of the bridge. */
const UNANSWERED = "shutdown";

/** Each message with an `id` has one direct answer, of the right type, after it was sent. */
export function answerFaults(
  messages: readonly Message[],
  sent: readonly Sent[],
  isOver: boolean,
): string[] {
  const places = new Map<string, { readonly sent: Sent; readonly answers: Message[] }>();
  for (const one of sent) {
    const { id } = fieldsOf(one.message);
    if (typeof id === "string") places.set(id, { sent: one, answers: [] });
  }
  const faults: string[] = [];
  messages.forEach((message, index) => {
    const reply = message["in_reply_to"];
    if (typeof reply !== "string") return;
    const place = places.get(reply);
    if (place === undefined || place.sent.after > index)
      faults.push(`${describe(message)} answers ${reply}, which was not sent by then`);
    else place.answers.push(message);
  });
  const answered = [...places.values()];
  return [...faults, ...answered.flatMap(answerFault), ...(isOver ? gapFaults(answered) : [])];
}

type Answered = { readonly sent: Sent; readonly answers: readonly Message[] };

function answerFault({ sent, answers }: Answered): string[] {
  const { id, type, message_id } = fieldsOf(sent.message);
  if (answers.length > 1) return [`${type} ${id} is answered ${answers.length} times`];
  const [answer] = answers;
  if (answer === undefined || answer.type === "error") return [];
  if (ANSWERS[String(type)]?.includes(answer.type) !== true)
    return [`${type} ${id} is answered by ${describe(answer)}`];
  const isOther =
    type === "user_message" && message_id !== undefined && message_id !== answer["message_id"];
  return isOther ? [`${type} ${id} has the receipt of another message`] : [];
}

/** Only messages that arrived after the bridge stopped reading may be unanswered: the last ones. */
function gapFaults(answered: readonly Answered[]): string[] {
  const asking = answered.filter(({ sent }) => fieldsOf(sent.message)["type"] !== UNANSWERED);
  const last = asking.findLastIndex(({ answers }) => answers.length > 0);
  return asking
    .slice(0, last + 1)
    .filter(({ answers }) => answers.length === 0)
    .map(({ sent }) => {
      const { id, type } = fieldsOf(sent.message);
      return `${type} ${id} is never answered, and a later message is`;
    });
}
