/** Sessions in a worktree of Claude's own, with a real `claude`. */
import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../testing/drivers/git.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import { openRealPlace, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests("2.1.197", "2.1.330");
const old = realTests("2.1.38");

const IN_WORKTREE = { options: { worktree: "rows.1", transcript_mirror: true } };

/** Makes the project a repository with a commit; the path that its worktree is to have. */
function prepare({ home }: RealPlace): string {
  writeFileSync(join(home.project, "a.txt"), "committed\n");
  git(home.project, "init", "--quiet");
  git(home.project, "add", ".");
  git(home.project, "commit", "--quiet", "--message=first");
  return join(home.project, ".claude", "worktrees", "rows.1");
}

/** Has a turn, in which Claude is in this folder. */
async function talk(session: RealSession, cwd: string, text: string, reply: string) {
  const { id } = await session.exchange(text, reply);
  expect(session.all("system_metadata").at(-1)?.["cwd"]).toBe(cwd);
  return id;
}

const sentLast = (place: RealPlace, count: number) => conversationSent(place.api).slice(-count);

test("a session works in its worktree through restarts, commands and later bridges, and the worktree stays", async (place) => {
  const worktree = prepare(place);
  const session = place.start(IN_WORKTREE);
  await talk(session, worktree, "one", "First.");
  const first = session.id;
  await session.kill();
  const two = await talk(session, worktree, "two", "Second.");
  expect(sentLast(place, 3)).toEqual(["user: one", "assistant: First.", "user: two"]);
  const { sessions } = await session.ask({ type: "session_list" }, {});
  expect(sessions).toMatchObject([{ session_id: first }]);

  await session.command("fork", { at_message: two });
  await talk(session, worktree, "other", "Another.");
  expect(sentLast(place, 3)).toEqual(["user: one", "assistant: First.", "user: other"]);
  session.say("/clear");
  await session.next("turn_complete");
  await talk(session, worktree, "anew", "New.");
  await session.command("resume", { session_id: first });
  await talk(session, worktree, "three", "Third.");
  await session.end(4);

  const later = place.start({ ...IN_WORKTREE, session: { mode: "resume" } });
  await talk(later, worktree, "four", "Fourth.");
  expect(later.id).toBe(first);
  expect(sentLast(place, 3)).toEqual(["user: three", "assistant: Third.", "user: four"]);
  const copied = later.all("transcript_lines").map(({ session_id }) => session_id);
  expect(new Set(copied)).toEqual(new Set([first]));
  await later.end();
  expect(existsSync(join(worktree, "a.txt"))).toBe(true);
  expect(git(worktree, "branch", "--show-current").trim()).toBe("worktree-rows.1");
  expect(existsSync(join(place.home.project, ".claude", "worktrees", "rows.1"))).toBe(true);
});

test("a conversation of a worktree goes on in a clone elsewhere, where the worktree is not there yet", async (place) => {
  const worktree = prepare(place);
  const session = place.start(IN_WORKTREE);
  await talk(session, worktree, "one", "First.");
  const { id } = session;
  await session.end();
  const copies = session.all("transcript_lines").map(({ file, offset, lines }) => {
    return { file, offset, lines };
  });
  await using other = await openRealPlace(place.version);
  git(other.home.root, "clone", "--quiet", place.home.project, other.home.project);
  const to = other.startSilent([`--dir=${other.home.project}`]);
  const restored = { type: "transcript_restore", session_id: id, files: copies };
  await to.ask({ ...restored, worktree: "rows.1" });
  to.send({
    type: "protocol_init",
    version: 2,
    ...IN_WORKTREE,
    session: { mode: "resume", session_id: id },
  });
  await talk(to, join(other.home.project, ".claude", "worktrees", "rows.1"), "two", "Second.");
  expect(sentLast(other, 3)).toEqual(["user: one", "assistant: First.", "user: two"]);
  await other.endSessions();
});

test("a folder in no repository is refused at the start, in Claude's words", async (place) => {
  const session = place.start(IN_WORKTREE);
  await session.next("error", {
    code: "claude_start_failed",
    recoverable: false,
    message: expect.stringContaining("git repository"),
  });
  await session.ended(1, 1);
});

old(
  "a worktree is refused at the start by a version that has none, with the version that has",
  async (place) => {
    prepare(place);
    const session = place.start(IN_WORKTREE);
    await session.next("error", {
      code: "claude_start_failed",
      reason: "bad_flag",
      recoverable: false,
      message: expect.stringMatching(
        /unknown option '--worktree.*; claude has worktrees since 2\.1\.197$/,
      ),
    });
    await session.ended(1, 1);
  },
);
