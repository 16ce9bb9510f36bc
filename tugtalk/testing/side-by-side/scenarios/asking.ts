/** Questions, plans and forms: the requests to a person, and the effects of the answers. */
import { fieldsOf } from "../../../src/base/json.ts";
import { callTool, question } from "../../real/real-replies.ts";
import { mcpServer } from "../../real/mcp-server.ts";
import type { Answering } from "../../drivers/acp-client.ts";
import { choosing } from "../answering.ts";
import type { Claim, Scenario } from "../scenario.ts";
import { endsIn, firstCall, requestsIn, tells } from "../told.ts";

const FORMS = { elicitation: { form: {} } };
const PLAN = "1. Look at the weir.\n2. Count the herons.\n";

const ended: Claim = [
  "the turn ends as usual",
  ({ frames }) => endsIn(frames).join() === "end_turn",
];

/** The model got this text in the tool's result. */
function modelHas(text: string): Claim["1"] {
  return ({ place }) => tells(place.api.requests.map(({ body }) => ({ ...body })), text);
}

/** Fills the first field of a form with its first choice. */
const filling: Answering = ({ method, params }) => {
  if (method !== "elicitation/create") return undefined;
  const properties = fieldsOf(fieldsOf(fieldsOf(params)["requestedSchema"])["properties"]);
  const content = Object.fromEntries(
    Object.entries(properties)
      .slice(0, 1)
      .map(([name, schema]) => [name, firstChoice(fieldsOf(schema))]),
  );
  return { action: "accept", content };
};

function firstChoice({ oneOf, enum: values, items }: Readonly<Record<string, unknown>>): unknown {
  if (items !== undefined) return [firstChoice(fieldsOf(items))];
  if (Array.isArray(oneOf)) return fieldsOf(oneOf[0])["const"];
  return Array.isArray(values) ? values[0] : "Ada";
}

const questions = [question("Which colour?", ["Red", "Blue"])];

export const ASKING: readonly Scenario[] = [
  {
    name: "a question, to a client with forms",
    capabilities: FORMS,
    api: () => [callTool("AskUserQuestion", { questions }), "Noted."],
    answering: filling,
    play: (stage) => stage.prompt("ask me"),
    claims: [
      ["it is a form", ({ frames }) => requestsIn(frames, "elicitation/create").length === 1],
      ["the model has the answer", modelHas('"Which colour?"="Red"')],
      ended,
    ],
  },
  {
    name: "a question, to a client without forms",
    api: () => [callTool("AskUserQuestion", { questions }), "Noted."],
    play: (stage) => stage.prompt("ask me"),
    claims: [
      [
        "it is asked with its choices",
        ({ frames }) => tells(requestsIn(frames, "session/request_permission"), "Blue"),
      ],
      ["the model has the answer", modelHas('"Which colour?"="Red"')],
      ended,
    ],
  },
  {
    name: "a form of an MCP server",
    capabilities: FORMS,
    session: () => {
      const { command, args } = mcpServer();
      return { mcpServers: [{ name: "tide", command, args, env: [] }] };
    },
    api: () => [callTool("mcp__tide__ask", { question: "Who?" }), "Noted."],
    answering: (request) => filling(request) ?? choosing("allow_once")(request),
    play: (stage) => stage.prompt("ask me"),
    claims: [
      ["it is a form", ({ frames }) => requestsIn(frames, "elicitation/create").length === 1],
      ["the server has the answer", ({ frames }) => tells(frames, "the answer: accept")],
      ended,
    ],
  },
  {
    name: "a plan accepted",
    mode: "plan",
    api: () => [callTool("ExitPlanMode", { plan: PLAN }), "Begun."],
    play: (stage) => stage.prompt("make a plan"),
    claims: [
      [
        "its text is in the request",
        ({ frames }) =>
          requestsIn(frames, "session/request_permission").some(({ params }) =>
            tells([{ content: fieldsOf(fieldsOf(params)["toolCall"])["content"] }], "herons"),
          ),
      ],
      ["one way out accepts edits", ({ frames }) => tells(frames, "acceptEdits")],
      ["Claude begins", ({ frames }) => tells(frames, "Begun.")],
      ended,
    ],
  },
  {
    name: "a plan rejected",
    mode: "plan",
    api: () => [callTool("ExitPlanMode", { plan: PLAN }), "Another one."],
    answering: choosing("reject_once"),
    play: (stage) => stage.prompt("make a plan"),
    claims: [
      ["the call has failed", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
      ["Claude goes on", ({ frames }) => tells(frames, "Another one.")],
      ended,
    ],
  },
];
