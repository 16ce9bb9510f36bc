/** The law of the turn that Claude begins about the end of an agent. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import type { OwnerOf } from "./claude-lines.ts";
import type { Passage } from "./client-pipe.ts";

/** The passages during the end of an agent and Claude's turn about it. */
type Wake = { readonly session: string; readonly from: number; readonly to: number };

/** A prompt that waits for an agent is answered after Claude's turn about the end of the agent. */
export function wakeFaults(
  passages: readonly Passage[],
  claudes: readonly (readonly Traffic[])[],
  ownerOf: OwnerOf,
): string[] {
  const sessions = new Map(
    passages.flatMap(({ from, frame: { id, method, params } }) =>
      from === "client" && method === "session/prompt"
        ? [[id, fieldsOf(params)["sessionId"]] as const]
        : [],
    ),
  );
  return claudes.flatMap(wakesIn).flatMap((wake) => {
    const session = ownerOf(wake.session);
    const during = passages.slice(wake.from, wake.to);
    const isAnswer = ({ frame: { id, result } }: Passage) =>
      sessions.get(id) === session && fieldsOf(result)["stopReason"] === "end_turn";
    // A frame of the client may end the wait.
    const answered = during.some(({ from }) => from === "client") ? [] : during.filter(isAnswer);
    return answered.map(({ frame }) => `prompt ${frame["id"]} is answered before Claude's turn`);
  });
}

/** A turn of a prompt that ends meanwhile has an answer of its own. */
function wakesIn(traffic: readonly Traffic[]): Wake[] {
  const printed = traffic.flatMap((one) =>
    one.from === "claude" ? [{ place: one.received, line: fieldsOf(one.line) }] : [],
  );
  return printed.flatMap(({ place: from, line }, at) => {
    const init = printed[at + 1]?.line["subtype"];
    if (line["subtype"] !== "task_notification" || init !== "init") return [];
    const end = printed.slice(at).find(({ line: { type } }) => type === "result");
    if (end === undefined || !isOfWake(end.line)) return [];
    return [{ session: String(line["session_id"]), from, to: end.place }];
  });
}

function isOfWake({ origin }: Fields): boolean {
  return fieldsOf(origin)["kind"] === "task-notification";
}
