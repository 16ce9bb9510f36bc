/** Options that are hard to hand over, and answers with unusual keys, with every measured version. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { MEASURED_VERSIONS } from "../../simulator/cli-cache.ts";
import {
  callTool,
  newlyTold,
  ofType,
  openRealPlace,
  startRealSession,
} from "./support/real-session.ts";
import { REAL_TIMEOUT_MS } from "./support/real-shared-session.ts";

setDefaultTimeout(REAL_TIMEOUT_MS);

describe.each([...MEASURED_VERSIONS])("claude %s", (version) => {
  test("the answer to a question whose text is __proto__ is taken and ends the prompt", async () => {
    const place = await openRealPlace(version);
    const session = startRealSession(place);
    const options = ["yes", "no"].map((label) => ({ label, description: label }));
    const question = { question: "__proto__", header: "Odd", multiSelect: false, options };
    session.say("ask me", callTool("AskUserQuestion", { questions: [question] }), "Noted.");
    const { request_id } = await session.prompt();
    const answers = { ["__proto__"]: "yes" };
    session.send({ type: "question_answer", request_id, answers });
    const { end, messages } = await session.turn();
    expect(end).toMatchObject({ result: "success", text: "Noted." });
    expect(ofType(messages, "control_request_resolved")).toMatchObject([{ outcome: "answered" }]);
    expect(newlyTold(place.api)).toContain(JSON.stringify('"__proto__"="yes"').slice(1, -1));
    await place.close();
  });
});
