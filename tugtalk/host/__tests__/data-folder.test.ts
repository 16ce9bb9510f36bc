/** A host whose data lies in a folder that Claude works in. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { claudeHears, claudesIn } from "../../testing/drivers/recorded-claudes.ts";
import { HostHome } from "./support/host-command.ts";

const home = new HostHome();
const DATA = join(home.stateDir, "tugtalk/host");
const link = join(home.root, "link");
symlinkSync(home.project, link);

afterAll(async () => {
  await home.end();
  await endHosts();
});

test.each([
  ["in the current folder", ["--data=./data"], "data"],
  ["deep in it", ["--data=a/b/data"], "a/b/data"],
  ["in it by a link", [`--data=${link}/data`], "data"],
  ["in --dir by a link", [`--dir=${link}`, `--data=${home.project}/data`], "data"],
  ["in the home folder by name", [`--dir=${home.root}`, "--data=./data"], "data"],
])("a data folder %s is refused in words, and not made", async (_name, words, data) => {
  const { exitCode, output, errors } = await home.run("--port=0", ...words).ended;
  const dir = words[0] === `--dir=${home.root}` ? home.root : home.project;
  expect({ exitCode, output, errors }).toEqual({
    exitCode: 1,
    output: "",
    errors: `tugtalk host: the data of the host, with its token, is in ${join(home.project, data)}, which Claude could read in ${dir}: take another folder, or start the host with a --data that is not in it\n`,
  });
  for (const made of ["a", "data"]) expect(existsSync(join(home.project, made))).toBe(false);
});

test("in the home folder a host with the default data folder starts, and says that its token is there", async () => {
  const run = home.run("--port=0", `--dir=${home.root}`);
  const printed = await run.lines(/smaller folder/);
  expect(printed).toContain(`Token for scripts: ${join(DATA, "token")}`);
  expect(printed).toContain("That file is in the folder of new sessions");
  expect(readFileSync(join(DATA, ".gitignore"), "utf8")).toBe("*\n");
  run.kill("SIGTERM");
  await run.ended;
});

test("a session above the data folder is refused, and elsewhere Claude has rules against reading that folder", async () => {
  const host = await startHost({ hasFile: true });
  const refused = await host.run("create", { dir: host.root, trust: true });
  expect(refused).toMatchObject({ status: 400, body: { code: "data_in_dir" } });
  const options = { disallowed_tools: ["WebFetch"] };
  const session = await host.createSession({ options });
  await session.message("hello");
  await claudeHears(session.dir, ({ type }) => type === "user");
  const [claude] = claudesIn(session.dir);
  const denied = claude?.args.filter((arg) => arg.startsWith("--disallowed-tools="));
  expect(denied).toEqual([
    "--disallowed-tools=WebFetch",
    `--disallowed-tools=Read(/${host.dataDir}/**)`,
    `--disallowed-tools=Edit(/${host.dataDir}/**)`,
  ]);
});
