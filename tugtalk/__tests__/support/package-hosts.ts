/** Hosts as users of the package write them: the text of their files. */

/** Runs on Node and on Bun; prints one line for each thing that it did. */
export const PLAIN_HOST = `
import { allow, initialSession, isPrompt, parse, reduceSession } from "tugtalk/client";
import { EndedError, RequestError, spawnTugtalk } from "tugtalk/spawn";

const tugtalk = await spawnTugtalk({ simulate: true, args: ["--speed=max"] });
const ack = await tugtalk.request({ type: "protocol_init", version: 2 });
console.log("version", ack.version);
let state = initialSession;
tugtalk.send({ type: "user_message", text: "hello" });
for await (const message of tugtalk.messages) {
  state = reduceSession(state, parse(JSON.stringify(message)));
  if (isPrompt(message)) {
    if (message.type !== "control_request_forward" || message.is_question) break;
    const { outcome } = await tugtalk.request(allow(message));
    console.log("outcome", outcome);
    break;
  }
  if (message.type === "turn_complete") tugtalk.send({ type: "user_message", text: "go on" });
}
try {
  await tugtalk.request({ type: "user_message", text: "" });
} catch (error) {
  console.log("refused", error instanceof RequestError, error.code);
}
const late = tugtalk.request({ type: "session_list", id: "late" });
console.log("list", (await late).sessions.length);
console.log("exit", (await tugtalk.close()).code);
try {
  await tugtalk.request({ type: "session_list" });
} catch (error) {
  console.log("ended", error instanceof EndedError);
}
try {
  await spawnTugtalk({ command: ["/nowhere/tugtalk"] });
} catch (error) {
  console.log(error.message.startsWith("cannot start /nowhere/tugtalk: "));
}
const controller = new AbortController();
const aborted = await spawnTugtalk({ simulate: true, signal: controller.signal });
await aborted.request({ type: "protocol_init", version: 2 });
controller.abort();
console.log("aborted", (await aborted.exited).code);
`;

export const PLAIN_HOST_PRINTS = [
  "version 2",
  "outcome allow",
  "refused true message_rejected",
  "list 0",
  "exit 0",
  "ended true",
  "true",
  "aborted 0",
];

/** Strict TypeScript; each \`expect-error\` is a mistake that the types must show. */
export const TYPED_HOST = `
import type { CommandError, HostClient, InboundMessage } from "tugtalk/client";
import type { OutboundMessage, PromptRequest, UntrustedFolder } from "tugtalk/client";
import { answerQuestions, isPrompt, refuse, viewQuestions } from "tugtalk/client";
import { type Exit, spawnTugtalk } from "tugtalk/spawn";

async function converse(): Promise<Exit> {
  await using tugtalk = await spawnTugtalk({ simulate: true, args: ["--speed=max"] });
  const ack = await tugtalk.request({ type: "protocol_init", version: 2 });
  const instance: string = ack.instance_id;
  const receipt = await tugtalk.request({ type: "user_message", text: "hello" });
  const status: string = receipt.status;
  const interrupt: InboundMessage = { type: "interrupt" };
  // @ts-expect-error: no message has this type.
  const wrong: InboundMessage = { type: "interupt" };
  // @ts-expect-error: a shutdown has no answer but the exit.
  const shutdown = () => tugtalk.request({ type: "shutdown" });
  // @ts-expect-error: the answer to protocol_init has no status.
  const none = ack.status;
  let said = "";
  for await (const message of tugtalk.messages) {
    said += textOf(message);
    if (isPrompt(message)) tugtalk.send(answer(message));
    if (message.type === "turn_complete") break;
  }
  console.log(instance.length, status, said.length > 0, interrupt.type);
  void [wrong, shutdown, none];
  return tugtalk.close();
}

function textOf(message: OutboundMessage): string {
  return message.type === "assistant_text" && !message.is_partial ? (message.text ?? "") : "";
}

function answer(prompt: PromptRequest): InboundMessage {
  const isQuestion = prompt.type === "control_request_forward" && prompt.is_question;
  if (!isQuestion) return refuse(prompt, "not now");
  const asked = viewQuestions(prompt.input["questions"]);
  const labels = asked.map(({ question, options }) => [question, options[0]?.label ?? ""]);
  return answerQuestions(prompt, Object.fromEntries(labels));
}

/** Compiled, and not run: there is no host. */
function hooksOf({ body }: CommandError): readonly string[] {
  const folder = body as UntrustedFolder;
  return "hooks" in folder ? folder.hooks.map(({ command }) => command) : [folder.dir];
}

/** Likewise. */
async function ask(host: HostClient, id: string): Promise<string> {
  const receipt = await host.command("message", { id, message: "hello" });
  // @ts-expect-error: the text of a message is called message.
  await host.command("message", { id, text: "hello" });
  // @ts-expect-error: the receipt has no text.
  const none = receipt.text;
  const store = host.session(id);
  const [onChange, title] = [() => {}, store.get().state.title ?? ""];
  store.subscribe(onChange)();
  const { default: place } = await host.command("places");
  return [receipt.message_id, place, title, none, host.sessions.get().sessions.length].join();
}

void [ask, hooksOf];
console.log((await converse()).code);
`;

export const TYPED_HOST_PRINTS = ["36 queued true interrupt", "0"];

/** Prints the ids of the launcher's or the host's processes, and then waits. */
export const WAITING_HOST = `
import { spawnTugtalk } from "tugtalk/spawn";
const tugtalk = await spawnTugtalk({ simulate: true });
tugtalk.send({ type: "protocol_init", version: 2 });
for await (const message of tugtalk.messages)
  if (message.type === "process_started") console.log(tugtalk.pid, message.pid);
`;
