/**
 * A real `claude` on a machine behind a real `ssh`: the connection is cut in a turn, and the conversation
 * continues.
 */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { descendantsOf } from "../../../testing/drivers/processes.ts";
import { holdReply } from "../../../testing/real/real-replies.ts";
import { conversationSent } from "../../../testing/real/real-requests.ts";
import type { RealPlace } from "../../../testing/real/real-session.ts";
import { realTests } from "../../../testing/real/real-tests.ts";
import { hadTwoClaudes, type SshServer, startSshServer } from "./support/ssh-server.ts";

const test = realTests("2.1.330");

test("a conversation of the real claude on another machine survives a cut connection, and is in the history there", async (real) => {
  const env = real.home.environment(real.api.url);
  const ssh = await startSshServer({ claude: real.claude, env });
  try {
    await cutAndGoOn(real, ssh);
  } finally {
    await endHosts();
    await ssh.stop();
  }
});

async function cutAndGoOn(real: RealPlace, ssh: SshServer): Promise<void> {
  const places = join(ssh.root, "places.json");
  const box = { name: "box", command: ssh.prefix("box"), idle_exit: 2 };
  writeFileSync(places, JSON.stringify({ places: [box] }));
  const host = await startHost({ args: [`--places=${places}`] });
  const session = await host.createSession({ place: "box" });
  const events = await session.events();
  real.api.script("First.");
  await session.message("one");
  expect((await events.next("turn_complete")).data).toMatchObject({ text: "First." });

  const held = holdReply("half", " of it");
  real.api.script(held.reply);
  await session.message("two");
  await events.next(({ data }) => data["status"] === "partial");
  const [connection = 0] = descendantsOf(host.pid);
  process.kill(connection, "SIGKILL");
  await events.next(({ data }) => data["state"] === "disconnected");
  held.release();

  real.api.script("Third.");
  expect((await session.message("three")).status).toBe(202);
  expect((await events.next("turn_complete")).data).toMatchObject({ text: "Third." });
  const sent = conversationSent(real.api);
  expect(sent.slice(0, 3)).toEqual(["user: one", "assistant: First.", "user: two"]);
  expect(sent.at(-1)).toBe("user: three");
  expect(hadTwoClaudes(session.dir)).toBe(false);

  const { claude_session_id } = (await session.run("session")).body;
  await session.run("delete", { keep: 1 });
  const history = await host.run("history", { place: "box", dir: session.dir });
  expect(history.body["sessions"]).toMatchObject([{ session_id: claude_session_id }]);
  events.close();
}
