/** Sessions of the reference host in a worktree of Claude's own, with real CLIs. */
import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { git } from "../testing/drivers/git.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import { hostIn, inOnePlace, type RealHost } from "../testing/real/real-tests.ts";

/** A repository with a commit. */
function repository({ host }: RealHost): string {
  const dir = host.newFolder();
  writeFileSync(join(dir, "committed.txt"), "x\n");
  git(dir, "init", "--quiet");
  git(dir, "add", ".");
  git(dir, "commit", "--quiet", "--message=first");
  return dir;
}

/** Has a turn in this session; the folder that Claude says it is in. */
async function cwdAfter({ host, api }: RealHost, id: string, text: string, reply: string) {
  const events = await host.events(`/api/sessions/${id}/events?after=0`);
  api.script(reply);
  await host.run("message", { id, message: text });
  await events.next(({ type, data }) => type === "turn_complete" && data["text"] === reply);
  events.close();
  return events.events.findLast(({ type }) => type === "system_metadata")?.data["cwd"];
}

inOnePlace(MEASURED_VERSIONS, hostIn, (test, version) => {
  const wanted = (dir: string) => ({ dir, trust: true, options: { worktree: "rows" } });
  if (version === "2.1.38") {
    test("a worktree is refused where Claude has none, with the version that has", async (real) => {
      const { id } = (await real.host.run("create", wanted(repository(real)))).body;
      const events = await real.host.events(`/api/sessions/${id}/events?after=0`);
      await events.next(
        ({ type, data }) => type === "session_changed" && data["state"] === "failed",
      );
      events.close();
      const { body } = await real.host.run("session", { id: String(id) });
      const why = /unknown option '--worktree.*; claude has worktrees since 2\.1\.197$/;
      expect(body).toMatchObject({ state: "failed", last_error: expect.stringMatching(why) });
    });
    return;
  }

  test("a session in a worktree has its folder, and works there after a restart of the host, as its fork does", async (real) => {
    const { host, api } = real;
    const dir = repository(real);
    const { body } = await host.run("create", wanted(dir));
    const id = String(body["id"]);
    const worktree = join(dir, ".claude", "worktrees", "rows");
    expect(body["dir"]).toBe(worktree);
    expect(await cwdAfter(real, id, "one", "First.")).toBe(worktree);
    const { body: completed } = await host.run("files", { id, q: "commit" });
    expect(completed["files"]).toEqual([{ path: "committed.txt", kind: "file" }]);
    await host.restart();
    expect(await cwdAfter(real, id, "two", "Second.")).toBe(worktree);
    expect(conversationSent(api).slice(-3)).toEqual([
      "user: one",
      "assistant: First.",
      "user: two",
    ]);
    const { body: fork } = await host.run("fork", { id });
    expect(fork["dir"]).toBe(worktree);
    expect(await cwdAfter(real, String(fork["id"]), "three", "Third.")).toBe(worktree);
    expect(conversationSent(api).slice(-2)).toEqual(["assistant: Second.", "user: three"]);
    const { body: past } = await host.run("history", { dir: worktree });
    const { claude_session_id: session_id } = (await host.run("session", { id })).body;
    expect(past["sessions"]).toContainEqual(expect.objectContaining({ session_id }));
    for (const session of [id, String(fork["id"])]) await host.run("delete", { id: session });
    expect(existsSync(join(worktree, "committed.txt"))).toBe(true);
  });
});
