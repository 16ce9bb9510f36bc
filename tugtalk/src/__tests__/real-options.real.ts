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

/** Longer than one argument of Linux, by characters and more so by bytes, with blanks at both ends. */
const longPrompt = (word: string) => `${` ${word} `.padEnd(199_990, "ä ")}end ${word}\n `;

describe.each([...MEASURED_VERSIONS])("claude %s", (version) => {
  test("system prompts of 200,000 characters reach the model whole", async () => {
    const place = await openRealPlace(version);
    const [system_prompt, append_system_prompt] = ["first", "second"].map(longPrompt);
    const options = { system_prompt, append_system_prompt };
    const session = startRealSession(place, { options });
    session.say("hello", "Hello.");
    expect((await session.turn()).end).toMatchObject({ result: "success", text: "Hello." });
    const { system } = place.api.requests.findLast(({ kind }) => kind === "main")?.body ?? {};
    expect(JSON.stringify(system)).toContain(JSON.stringify(system_prompt).slice(1, -1));
    expect(JSON.stringify(system)).toContain(JSON.stringify(append_system_prompt).slice(1, -1));
    await place.close();
  });

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
