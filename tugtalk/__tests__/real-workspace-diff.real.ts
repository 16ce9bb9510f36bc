/** The changes since the latest commit, with real CLIs, through the reference host. */
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { viewWorkspaceDiff } from "../client/views/workspace-diff-view.ts";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { git } from "../testing/drivers/git.ts";
import { hostIn, inOnePlace, type RealHost } from "../testing/real/real-tests.ts";

/** Claude's answer about the folder in a session there, once it has had a turn. */
async function askIn({ host, api }: RealHost, dir: string) {
  const id = String((await host.run("create", { dir, trust: true })).body["id"]);
  const events = await host.events(`/api/sessions/${id}/events?after=0`);
  api.script("Hello.");
  await host.run("message", { id, message: "go" });
  await events.next("turn_complete");
  const ask = () => host.run("control", { id, subtype: "get_workspace_diff" });
  const first = await ask();
  return { ...first, events, ask };
}

/** A folder with a commit, and with some of each that can differ from it. */
function changedFolder({ host }: RealHost): string {
  const dir = host.newFolder();
  mkdirSync(join(dir, "src"));
  const write = (name: string, content: string) => writeFileSync(join(dir, name), content);
  for (const name of ["src/ü.txt", "old.txt"]) write(name, "one\ntwo\nthree\n");
  write("gone.txt", "gone\n");
  write("picture.bin", "\0\x01");
  write("long.txt", "one\n");
  write("cut.txt", "one\n");
  git(dir, "init", "--quiet");
  git(dir, "add", ".");
  git(dir, "commit", "--quiet", "--message=first");
  write("src/ü.txt", "one\n2\nthree\n");
  git(dir, "rm", "--quiet", "gone.txt");
  git(dir, "mv", "old.txt", "new.txt");
  write("picture.bin", "\0\x02");
  write("long.txt", "more\n".repeat(200_000));
  write("cut.txt", "more\n".repeat(1_000));
  write("src/untracked.txt", "old\n");
  return dir;
}

inOnePlace(MEASURED_VERSIONS, hostIn, (test, version) => {
  if (version !== "2.1.330") {
    test("a Claude that cannot compare with Git is refused, with the version that can", async (real) => {
      const { status, body } = await askIn(real, changedFolder(real));
      const error = `unsupported: claude ${version} does not know get_workspace_diff; 2.1.330 has it`;
      expect({ status, body }).toMatchObject({ status: 409, body: { code: "refused", error } });
    });
    return;
  }

  test("the difference from Git has each file with its lines, or why it lacks them, and is in no journal", async (real) => {
    const dir = changedFolder(real);
    const { events, ask } = await askIn(real, dir);
    writeFileSync(join(dir, "src/later.txt"), "new\n");
    const { body } = await ask();
    const view = viewWorkspaceDiff(body["response"]);
    const files = view?.kind === "diff" ? view.files : [];
    expect(files.map(({ path, kind, hunks, lack }) => [path, kind, hunks.length, lack])).toEqual([
      ["cut.txt", "modified", 1, "cut"],
      ["gone.txt", "removed", 1, undefined],
      ["long.txt", "modified", 0, "large"],
      ["new.txt", "renamed", 0, undefined],
      ["picture.bin", "modified", 0, "binary"],
      ["src/ü.txt", "modified", 1, undefined],
      // Files that Git did not know when Claude started are left out.
      ["src/later.txt", "added", 0, "untracked"],
    ]);
    expect(files[5]?.hunks[0]?.lines).toEqual([" one", "-two", "+2", " three"]);
    for (let at = 0; at < 60; at += 1) writeFileSync(join(dir, `more-${at}.txt`), "x\n");
    const more = viewWorkspaceDiff((await ask()).body["response"]);
    expect(more?.kind === "diff" && more.omittedFiles).toBeGreaterThan(0);
    expect(events.events.filter(({ type }) => type === "control_result")).toEqual([]);
    events.close();
  });

  test("a folder in no repository has no diff, and a folder in a repository has the diff of the whole", async (real) => {
    const { body } = await askIn(real, real.host.newFolder());
    expect(viewWorkspaceDiff(body["response"])).toEqual({ kind: "none", reason: "no-repository" });
    const inside = await askIn(real, join(changedFolder(real), "src"));
    const view = viewWorkspaceDiff(inside.body["response"]);
    const paths = view?.kind === "diff" ? view.files.map(({ path }) => path) : [];
    expect(paths).toContain("long.txt");
    expect(paths).toContain("src/ü.txt");
  });
});
