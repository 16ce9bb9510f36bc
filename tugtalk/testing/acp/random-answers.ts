/** How a random client answers the requests of the agent. Pure. */
import { type Fields, fieldsOf } from "../observer/observed.ts";

/** Wrong answers to any request. */
const WRONG: readonly Fields[] = [
  { result: 7 },
  { result: {} },
  { error: { code: -32603, message: "no window" } },
];

/** The answer of a client: in most cases one of the offered options, sometimes a wrong one, or a failure. */
export function anyAnswer({ method, params }: Fields, pick: number): Fields {
  const answers = method === "elicitation/create" ? formAnswers : optionAnswers;
  const all = answers(fieldsOf(params), pick);
  return all[pick % 16] ?? all[0] ?? {};
}

/** The way on that needs no more answers. */
export function lastAnswer({ method, params }: Fields): Fields {
  if (method === "elicitation/create") return { result: { action: "decline" } };
  const offered = optionsOf(fieldsOf(params));
  // A refusal with a reason asks for that.
  const last = offered.find(({ optionId }) => optionId === "done") ?? offered.find(isRefusal);
  return chosen(last?.["optionId"]);
}

/** The first ten are as offered. */
function optionAnswers(params: Fields, pick: number): readonly Fields[] {
  const offered = optionsOf(params);
  const right = Array.from({ length: 10 }, () =>
    chosen(offered[pick % offered.length]?.["optionId"]),
  );
  const cancelled = { result: { outcome: { outcome: "cancelled" } } };
  return [...right, chosen("never offered"), cancelled, ...WRONG];
}

function optionsOf({ options }: Fields): readonly Fields[] {
  return (Array.isArray(options) ? options : []).map(fieldsOf);
}

const isRefusal = ({ kind }: Fields) => kind === "reject_once";

function chosen(optionId: unknown): Fields {
  return { result: { outcome: { outcome: "selected", optionId } } };
}

function formAnswers({ requestedSchema }: Fields, pick: number): readonly Fields[] {
  const accepted = (content: Fields | null) => ({ result: { action: "accept", content } });
  const { properties } = fieldsOf(requestedSchema);
  const fields = Object.entries(fieldsOf(properties));
  const filled = fields.map(([name, field]) => [name, filledValue(fieldsOf(field), pick)]);
  const right = Array.from({ length: 8 }, () => accepted(Object.fromEntries(filled)));
  const wrong = fields.map(([name]) => [name, "never offered"]);
  const others = [{ action: "decline" }, { action: "cancel" }].map((result) => ({ result }));
  return [...right, ...others, accepted(null), accepted(Object.fromEntries(wrong)), ...WRONG];
}

function filledValue({ type, oneOf, items }: Fields, pick: number): unknown {
  const consts = (list: unknown) =>
    (Array.isArray(list) ? list : []).map((one) => fieldsOf(one)["const"]);
  if (type === "array") return consts(fieldsOf(items)["anyOf"]).slice(pick % 2);
  if (type === "boolean") return pick % 2 === 0;
  return oneOf === undefined ? "" : consts(oneOf)[pick % consts(oneOf).length];
}
