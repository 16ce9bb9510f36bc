/**
 * The guarantees of the ACP edge, as one function over both sides: the frames of the client and the agent,
 * and the lines that Claude has printed and read. Pure. Of the agent it knows only the protocol.
 */
import { frameProblem } from "../drivers/acp-frames.ts";
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { askingFaults } from "./asking-laws.ts";
import { cancelFaults } from "./cancel-laws.ts";
import type { OwnerOf } from "./claude-lines.ts";
import type { Passage } from "./client-pipe.ts";
import { loadFaults } from "./load-laws.ts";
import { SessionLaw } from "./session-law.ts";
import { textFaults } from "./text-laws.ts";
import { wakeFaults } from "./wake-law.ts";

export type Life = {
  readonly passages: readonly Passage[];
  /** The lines on the pipes of each Claude. */
  readonly claudes: readonly (readonly Traffic[])[];
  readonly ownerOf: OwnerOf;
  /** The agent has ended, so nothing may be left open. */
  readonly isOver: boolean;
};

/** Every broken guarantee, as a sentence. */
export function acpFaults({ passages, claudes, ownerOf, isOver }: Life): string[] {
  const laws = sessionLaws(passages);
  return [
    ...schemaFaults(passages),
    ...answerFaults(passages, isOver),
    ...orderFaults(passages),
    ...cancelFaults(passages, claudes, ownerOf),
    ...wakeFaults(passages, claudes, ownerOf),
    ...askingFaults(passages, claudes, isOver),
    ...laws.flatMap((law) => [...law.faults, ...(isOver ? law.open : [])]),
    ...loadFaults(
      laws.flatMap(({ loads }) => loads),
      claudes,
      ownerOf,
      new Set(passages.flatMap(deletedIn)),
    ),
    ...textFaults(
      laws.flatMap(({ texts }) => texts),
      claudes,
      isOver,
    ),
  ];
}

function deletedIn({ frame: { method, params } }: Passage): unknown[] {
  return method === "session/delete" ? [fieldsOf(params)["sessionId"]] : [];
}

/** The client shows agents as child sessions. */
function hasChildren([first]: readonly Passage[]): boolean {
  const { clientCapabilities } = fieldsOf(first?.frame["params"]);
  return fieldsOf(clientCapabilities)["subagents"] !== undefined;
}

function schemaFaults(passages: readonly Passage[]): string[] {
  const schema = hasChildren(passages) ? "unstable" : "stable";
  return passages.flatMap(({ from, frame }) => {
    const problem = from === "agent" ? frameProblem(frame, schema) : undefined;
    return problem === undefined
      ? []
      : [`not a frame of ACP: ${problem}: ${JSON.stringify(frame)}`];
  });
}

/** Each request of the client has one answer, after it, and nothing else has one. */
function answerFaults(passages: readonly Passage[], isOver: boolean): string[] {
  const open = new Set<unknown>();
  const faults: string[] = [];
  for (const { from, frame } of passages) {
    const { id, method } = frame;
    if (id === undefined || (method === undefined) === (from === "client")) continue;
    if (from === "client") open.add(id);
    else if (method === undefined && !open.delete(id)) faults.push(`${id} is answered once more`);
  }
  return isOver ? [...faults, ...[...open].map((id) => `${id} is never answered`)] : faults;
}

/**
 * The prompts of a session that have turns are answered in order. A withdrawn or refused prompt has no turn.
 */
function orderFaults(passages: readonly Passage[]): string[] {
  const asked = new Map<unknown, Prompt>();
  const last = new Map<unknown, number>();
  return passages.flatMap(({ from, frame }, place) => {
    if (from === "client") record(asked, frame, place);
    const isAnswer = from === "agent" && frame["method"] === undefined;
    const prompt = isAnswer ? asked.get(frame["id"]) : undefined;
    if (prompt === undefined || NO_TURN.has(fieldsOf(frame["error"])["code"])) return [];
    const isLate = prompt.place < (last.get(prompt.session) ?? 0);
    last.set(prompt.session, prompt.place);
    return isLate ? [`prompt ${frame["id"]} is answered after a later one`] : [];
  });
}

type Prompt = { readonly session: unknown; readonly place: number };

function record(asked: Map<unknown, Prompt>, { id, method, params }: Fields, place: number): void {
  const { sessionId: session, requestId } = fieldsOf(params);
  if (method === "session/prompt") asked.set(id, { session, place });
  if (method === "$/cancel_request") asked.delete(requestId);
}

const NO_TURN: ReadonlySet<unknown> = new Set([-32800, -32602, -32002, -32600]);

type LawOf = (sessionId: unknown) => SessionLaw;

function sessionLaws(passages: readonly Passage[]): SessionLaw[] {
  const laws = new Map<unknown, SessionLaw>();
  const requests = new Map<unknown, Fields>();
  const isWithChildren = hasChildren(passages);
  /** The session that each child session is part of. */
  const homes = new Map<unknown, unknown>();
  const lawOf = (named: unknown) => {
    const id = homes.get(named) ?? named;
    const law = laws.get(id) ?? new SessionLaw(String(id), isWithChildren);
    laws.set(id, law);
    return law;
  };
  const take = (named: unknown, update: unknown) => {
    const { sessionUpdate, sessionId: child } = fieldsOf(update);
    if (sessionUpdate === "subagent_update") homes.set(child, homes.get(named) ?? named);
    lawOf(named).updated(update, named);
  };
  for (const [place, { from, frame }] of passages.entries()) {
    const { id, method, params } = frame;
    const { sessionId: named, update } = fieldsOf(params);
    const request = requests.get(id);
    if (from === "client") {
      if (method !== undefined) requests.set(id, frame);
      if (named !== undefined) lawOf(named).asked(frame, place);
    } else if (update !== undefined) take(named, update);
    else if (method === undefined && request !== undefined) settle(lawOf, request, frame);
  }
  return [...laws.values()];
}

/** A request is answered, which may have begun a session, alone or as a copy of that which it names. */
function settle(lawOf: LawOf, request: Fields, answer: Fields): void {
  const { sessionId: named } = fieldsOf(request["params"]);
  const { sessionId: begun } = fieldsOf(answer["result"]);
  const law = named === undefined ? undefined : lawOf(named);
  law?.answered(request, answer);
  if (begun === undefined) return;
  if (law === undefined) lawOf(begun).begin();
  else lawOf(begun).beginCopy(law.copied(answer["id"]));
}
