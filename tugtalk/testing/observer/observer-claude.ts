/**
 * Claude's side of the guarantees: the lines written to one Claude, and the answers to its requests.
 * A real CLI exits on an invalid line, so the bridge must not write one. Protocol reference §2.
 */
import { isDeeperThan, MAX_DEPTH } from "../../src/base/json-depth.ts";
import {
  ControlRequest,
  DialogAsk,
  ElicitationAsk,
  PermissionRequest,
} from "../../src/protocol-types.ts";
import { type ClaudePipe, type Fields, fieldsOf, type Message, type Traffic } from "./observed.ts";

/** The faults on the pipes of one Claude. */
export function claudeFaults(messages: readonly Message[], claude: ClaudePipe): string[] {
  const written = claude.traffic.flatMap((one) => (isWritten(one) ? [one.line] : []));
  const faults = [...written.flatMap(lineFaults), ...firstFault(written), ...repeatFaults(written)];
  const answers = answerFaults(messages, claude);
  return [...faults, ...answers].map((fault) => `claude ${claude.pid}: ${fault}`);
}

function isWritten(one: Traffic): one is Extract<Traffic, { from: "bridge" | "nobody" }> {
  return one.from === "bridge" || one.from === "nobody";
}

/** The lines that every measured CLI accepts. */
function lineFaults(line: unknown): string[] {
  const { type, request, request_id, response, message, uuid } = fieldsOf(line);
  const isGood =
    (type === "user" &&
      typeof uuid === "string" &&
      fieldsOf(message)["role"] === "user" &&
      Array.isArray(fieldsOf(message)["content"])) ||
    (type === "control_request" &&
      typeof request_id === "string" &&
      typeof fieldsOf(request)["subtype"] === "string") ||
    (type === "control_response" && isAnswer(fieldsOf(response)));
  return isGood ? [] : [`is written ${JSON.stringify(line)}`];
}

function isAnswer({ subtype, request_id, response, error }: Fields): boolean {
  if (typeof request_id !== "string") return false;
  return subtype === "success"
    ? typeof response === "object" && response !== null
    : subtype === "error" && typeof error === "string";
}

function firstFault([first]: readonly unknown[]): string[] {
  if (first === undefined) return [];
  const { subtype } = fieldsOf(fieldsOf(first)["request"]);
  return subtype === "initialize" ? [] : ["is written something before initialize"];
}

/** No message and no request is ever written twice. */
function repeatFaults(written: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  return written.flatMap((line) => {
    const { type, uuid, request_id } = fieldsOf(line);
    const id = type === "user" ? uuid : request_id;
    if (type === "control_response" || id === undefined) return [];
    const isAgain = seen.has(id);
    seen.add(id);
    return isAgain ? [`is written ${type} ${id} twice`] : [];
  });
}

/** Requests that another client answers; the bridge answers a dialog only if it was declared. */
const NOT_OURS = new Set([
  "request_user_dialog",
  "remote_tool_call",
  "remote_plumbing_call",
  "remote_tools_probe",
  "remote_tools_reannounce",
]);

/**
 * The request becomes a prompt, is for the host's program, is answered for its tools, is refused at
 * once, or is left to other clients.
 */
type Kind = "person" | "program" | "server" | "refused" | "others";

type PromptContent = { readonly kinds: Kind[]; answers: number; late: number };

function answerFaults(messages: readonly Message[], { traffic }: ClaudePipe): string[] {
  const faults: string[] = [];
  const asked = new Map<string, PromptContent>();
  const declared = declaredIn(traffic);
  let isOpen = true;
  for (const one of traffic) {
    if (one.from === "end" || one.from === "exit") isOpen = false;
    else if (one.from === "claude") record(one.line, { asked, declared, isOpen });
    else if (fieldsOf(one.line)["type"] === "control_response")
      faults.push(...countAnswer(one.line, asked));
  }
  return [...faults, ...[...asked].flatMap(([id, one]) => outcomeFault(id, one, messages))];
}

type Books = {
  readonly asked: Map<string, PromptContent>;
  readonly declared: Declared;
  readonly isOpen: boolean;
};

function record(line: unknown, { asked, declared, isOpen }: Books): void {
  const parsed = ControlRequest.safeParse(line);
  if (!parsed.success) return;
  const { request_id, request } = parsed.data;
  const one = asked.get(request_id) ?? { kinds: [], answers: 0, late: 0 };
  asked.set(request_id, one);
  if (isOpen) one.kinds.push(kindOf(request, declared));
  else one.late += 1;
}

function kindOf(request: Fields, { dialogs, servers, hasHooks }: Declared): Kind {
  const { subtype, server_name, message } = request;
  if (subtype === "mcp_message" && servers.includes(server_name))
    return isCall(fieldsOf(message)) ? "program" : "server";
  if (subtype === "hook_callback" && hasHooks) return "program";
  const dialog = DialogAsk.safeParse(request);
  const isPerson =
    PermissionRequest.safeParse(request).success ||
    ElicitationAsk.safeParse(request).success ||
    (dialog.success && dialogs.includes(dialog.data.dialog_kind));
  // A value nested too deeply to be written cannot be shown.
  if (isPerson && !isDeeperThan(MAX_DEPTH, request)) return "person";
  return NOT_OURS.has(String(request["subtype"])) ? "others" : "refused";
}

function isCall({ method, id }: Fields): boolean {
  return method === "tools/call" && id !== undefined;
}

/** The declarations in `initialize`: kinds of dialogs, servers of tools, hooks. */
type Declared = {
  readonly dialogs: readonly unknown[];
  readonly servers: readonly unknown[];
  readonly hasHooks: boolean;
};

function declaredIn(traffic: readonly Traffic[]): Declared {
  const first = traffic.find(isWritten);
  const { supportedDialogKinds, sdkMcpServers, hooks } = fieldsOf(fieldsOf(first?.line)["request"]);
  const listOf = (value: unknown) => (Array.isArray(value) ? value : []);
  return {
    dialogs: listOf(supportedDialogKinds),
    servers: listOf(sdkMcpServers),
    hasHooks: hooks !== undefined,
  };
}

function countAnswer(line: unknown, asked: ReadonlyMap<string, PromptContent>): string[] {
  const { request_id, error_code } = fieldsOf(fieldsOf(line)["response"]);
  const one = asked.get(String(request_id));
  if (one === undefined) return [`request ${request_id} is answered and was not asked`];
  one.answers += 1;
  const isRefused = one.late === 0 && one.kinds.every((kind) => kind === "refused");
  return isRefused && error_code !== "unsupported_request"
    ? [`request ${request_id} is not refused as unsupported`]
    : [];
}

/** One answer for each closed prompt, except when its process exited; one for each request that the bridge answers itself; none for the others. */
function outcomeFault(
  id: string,
  { kinds, answers, late }: PromptContent,
  messages: readonly Message[],
) {
  const ofPrompt = messages.filter(({ request_id }) => request_id === id);
  const closed = ofPrompt.filter(({ reason }) => reason !== "exited");
  const answered = closed.filter(isAnswered).length;
  // Claude may have withdrawn a cancelled request: see observer-waits.ts.
  const perhaps = closed.filter(({ type }) => type === "control_request_cancel").length;
  const expected =
    answered + kinds.filter((kind) => kind === "refused" || kind === "server").length;
  const isForwarded = ofPrompt.some(({ type }) => type !== "error");
  const faults: string[] = [];
  // Whether one is answered at all: see observer-waits.ts.
  if (kinds.includes("program"))
    return answers > kinds.length + late ? [`request ${id} is answered ${answers} times`] : [];
  // A request that was read after its process exited cannot be answered.
  if (answers < expected || answers > expected + perhaps + late)
    faults.push(`request ${id} is answered ${answers} times`);
  if (kinds.includes("person") && !isForwarded) faults.push(`request ${id} is not forwarded`);
  return faults;
}

function isAnswered({ type, reason }: Message): boolean {
  return type === "control_request_resolved" || reason === "timeout";
}
