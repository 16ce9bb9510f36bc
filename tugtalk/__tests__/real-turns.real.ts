/** Turns with every measured version of the CLI: texts, ends, messages that wait, settings. */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { answerTo, callTool } from "../testing/real/real-replies.ts";
import { newestMessages, untilGivenUp } from "../testing/real/real-requests.ts";
import { ofType, type RealSession } from "../testing/real/real-session.ts";
import { inOneSession } from "../testing/real/real-tests.ts";

/** The smallest image: one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const expectWorking = (session: RealSession) => session.exchange("still there?", "Still here.");

/** The streamed pieces of one type joined, and its whole texts. */
function spoken(messages: readonly Received[], type: string) {
  const textsOf = (wanted: string) =>
    ofType(messages, type).flatMap(({ status, text }) => (status === wanted ? [text] : []));
  return { joined: textsOf("partial").join(""), complete: textsOf("complete") };
}

inOneSession(
  MEASURED_VERSIONS,
  (place) => place.open(),
  (test) => {
    test("text and thinking arrive whole, through bytes that cut characters", async (session) => {
      const thinking = "Überlegen… 思う 🤔";
      const text = "Grüße 👋 漢字 👩‍👧 e\u0301 \u2028 Ende";
      session.say("hällo 👋", {
        content: [
          { type: "thinking", thinking },
          { type: "text", text },
        ],
        pieceChars: 2,
        wireBytes: 3,
      });
      const { messages } = await session.turn(text);
      expect(ofType(messages, "user_text")).toMatchObject([{ kind: "host", text: "hällo 👋" }]);
      expect(spoken(messages, "thinking_text")).toEqual({ joined: thinking, complete: [thinking] });
      expect(spoken(messages, "assistant_text")).toEqual({ joined: text, complete: [text] });
      expect(ofType(messages, "assistant_text").length).toBeGreaterThan(5);
    });

    test("an interrupt in the text ends the turn as cancelled, and the next turn works", async (session) => {
      const { id } = await session.hold();
      const result = await session.ask({ type: "interrupt" }, { subtype: "interrupt", ok: true });
      const { end } = await session.turn({
        result: "cancelled",
        turn_id: result["turn_id"],
        message_ids: [id],
        ...session.place.expected.interruptedText,
      });
      expect(end["errors"]).toBeUndefined();
      await untilGivenUp(session.place.api);
      await expectWorking(session);
    });

    test("an interrupt at a prompt withdraws it and ends the turn as cancelled", async (session) => {
      session.say("fetch", callTool("Bash", { command: "curl -s http://127.0.0.1:9/" }));
      const prompt = await session.prompt();
      const { request_id } = prompt;
      session.send({ type: "interrupt" });
      await session.next("control_request_cancel", { request_id, reason: "interrupted" });
      const { interruptedPrompt } = session.place.expected;
      const { messages } = await session.turn({ result: "cancelled", ...interruptedPrompt });
      const result = { subtype: "interrupt", ok: true };
      expect(ofType(messages, "control_result")).toMatchObject([result]);

      const in_reply_to = session.allow(prompt);
      await session.next("error", { code: "stale_request", request_id, in_reply_to });
      await expectWorking(session);
    });

    test("a refusal of the API ends the turn as an error, and the next turn works", async (session) => {
      let isRefusing = true;
      const reply = { status: 400, message: "not today" };
      session.say("try", { reply, always: true, when: () => isRefusing });
      await session.turn({ result: "error", is_error: true, text: session.place.expected.refusal });
      isRefusing = false;
      await expectWorking(session);
    });

    test("an attached PNG reaches the model as an image", async (session) => {
      const attachments = [{ filename: "pixel.png", content: PNG, media_type: "image/png" }];
      session.post({ text: "look", attachments }, "A pixel.");
      await session.turn("A pixel.");
      const sent = newestMessages(session.place.api);
      expect(sent).toContain('"type":"image"');
      expect(sent).toContain('"media_type":"image/png"');
    });

    test("four messages sent at once in a turn get four turns in order, and a receipt after each", async (session) => {
      const texts = ["first", "second", "third", "fourth"];
      const { release } = await session.hold("begin", ...texts.map((text) => answerTo(text)));
      const ids = texts.map((text) => session.post({ text, delivery: "queue" }));
      for (const message_id of ids)
        await session.next("message_status", { message_id, status: "queued" });
      release();
      await session.turn("begun and ended");
      for (const [index, message_id] of ids.entries()) {
        const text = `Answer to ${texts[index]}.`;
        const { end } = await session.turn({ result: "success", text, message_ids: [message_id] });
        const { turn_id } = end;
        await session.next("message_status", { message_id, status: "completed", turn_id });
      }
      const final = session.all("message_status").filter(({ status }) => status === "completed");
      expect(final.slice(-4).map(({ message_id }) => message_id)).toEqual(ids);
    });
  },
);
