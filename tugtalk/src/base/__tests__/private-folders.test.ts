import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { makePrivateFolder, removeLeftFolders } from "../private-folders.ts";

/** A folder that a process has made which has ended since. Any bridge that starts may remove it. */
async function leftFolder(): Promise<string> {
  const module = join(import.meta.dir, "..", "private-folders.ts");
  const script = `
    const { makePrivateFolder } = await import(${JSON.stringify(module)});
    const folder = makePrivateFolder();
    await Bun.write(folder + "/settings.json", "{}");
    console.log(folder);
    process.kill(process.pid, "SIGKILL");`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: process.env,
  });
  const folder = (await new Response(child.stdout).text()).trim();
  await child.exited;
  return folder;
}

test("a private folder is readable for its owner only", () => {
  expect(statSync(makePrivateFolder()).mode & 0o777).toBe(0o700);
});

test("folders of killed processes are removed, and those of running ones are not", async () => {
  const left = await leftFolder();
  const own = makePrivateFolder();
  removeLeftFolders();
  expect(existsSync(left)).toBe(false);
  expect(existsSync(own)).toBe(true);
});

test("folders of another container, links, and folders that only begin alike are left alone", async () => {
  const left = basename(await leftFolder());
  const other = left.replace(/\.\d+-/, ".1-");
  mkdirSync(join(tmpdir(), other));
  symlinkSync("/usr", join(tmpdir(), `${left}2`));
  mkdirSync(join(tmpdir(), "tugtalk-notes"));
  removeLeftFolders();
  expect(readdirSync(tmpdir())).toEqual(
    expect.arrayContaining([other, `${left}2`, "tugtalk-notes"]),
  );
});
