/** What a folder grants a real `claude`, and what no folder grants it: the token of the host. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost, type TestHost } from "../drivers/host-process.ts";
import { byEvents, type Entry, JournalFollower } from "../drivers/journal-follower.ts";
import { callTool, newestMessages, openRealPlace, type RealPlace } from "./real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./real-shared-session.ts";

type Shared = { readonly place: RealPlace; readonly host: TestHost };

/** Declares the tests of one version. */
export function realTrust(version: string): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`trust with claude ${version}`, () => {
    let shared: Shared | undefined;
    const at = () => {
      if (shared === undefined) throw new Error("there is no host");
      return shared;
    };
    beforeAll(async () => {
      const place = await openRealPlace(version);
      const env = place.home.environment(place.api.url);
      shared = { place, host: await startHost({ claude: place.claude, env }) };
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await endHosts();
      await shared?.place.close();
    });
    // The older ones ask all the same in a folder that no terminal has trusted.
    if (version === "2.1.330") listGrant(at);
    listDenial(at);
  });
}

/** A new folder with these local settings. */
function folderWith({ host }: Shared, allow: readonly string[]) {
  const dir = host.newFolder();
  const file = join(dir, ".claude", "settings.local.json");
  mkdirSync(join(dir, ".claude"));
  writeFileSync(file, JSON.stringify({ permissions: { allow } }));
  return { dir, file };
}

/** The entries of a turn in a new session there. */
async function turnIn({ host }: Shared, dir: string): Promise<readonly Entry[]> {
  const { body } = await host.run("create", { dir, trust: true });
  const id = String(body["id"]);
  const follower = new JournalFollower(byEvents);
  await follower.connect({ url: host.url, authorization: host.authorization, id });
  await host.run("message", { id, message: "go" });
  await follower.next(({ t }) => t === "turn_complete" || t === "approval-requested");
  return follower.entries;
}

function listGrant(at: () => Shared): void {
  test("what the local settings of a folder allow runs without a question, and was listed before", async () => {
    const { dir, file } = folderWith(at(), ["Bash(touch granted.txt)"]);
    const asked = await at().host.run("create", { dir });
    expect(asked).toMatchObject({
      status: 409,
      body: {
        code: "untrusted_dir",
        permissions: [{ setting: "allow", value: "Bash(touch granted.txt)", source: file }],
      },
    });
    const command = { command: "touch granted.txt", description: "make" };
    at().place.api.script(callTool("Bash", command), "Made.");
    const entries = await turnIn(at(), dir);
    expect(entries.map(({ t }) => t)).not.toContain("approval-requested");
    expect(existsSync(join(dir, "granted.txt"))).toBe(true);
  });
}

function listDenial(at: () => Shared): void {
  test.each([
    ["Read", "Read", (file: string) => ({ file_path: file })],
    [
      "Write beside it",
      "Write",
      (file: string) => ({ file_path: `${file}-of-mine`, content: "x" }),
    ],
    ["cat", "Bash", (file: string) => ({ command: `cat ${file}`, description: "show" })],
    ["cp", "Bash", (file: string) => ({ command: `cp ${file} copied`, description: "copy" })],
  ] as const)(
    "of the host's token, %s is refused, whatever the folder allows",
    async (_name, tool, input) => {
      const { place, host } = at();
      const { dir } = folderWith(at(), ["Read", "Write", "Bash"]);
      place.api.script(callTool(tool, input(join(host.dataDir, "token"))), "Refused.");
      const entries = await turnIn(at(), dir);
      expect(entries.map(({ t }) => t)).not.toContain("approval-requested");
      expect(newestMessages(place.api)).toMatch(/denied/);
      expect(JSON.stringify(place.api.requests)).not.toContain(host.token);
      expect(existsSync(join(dir, "copied"))).toBe(false);
    },
  );
}
