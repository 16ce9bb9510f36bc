/** A data folder is for one host at a time, wherever the sessions are. */
import { afterAll, expect, test } from "bun:test";
import { UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { runCommand } from "../../../testing/drivers/ended-command.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
afterAll(() => hosts.end());

const SECOND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "with the same database": { TUGTALK_DATABASE: hosts.url },
  "with its sessions in the folder": {},
};

for (const [which, env] of Object.entries(SECOND))
  test(`a second host ${which} and the data folder of one that runs is refused, and that one goes on`, async () => {
    const host = await hosts.start();
    const words = ["host", "--port=0", `--data=${host.dataDir}`, `--dir=${import.meta.dir}`];
    const { code, err } = await runCommand([...UNDER_TEST, ...words], {
      cwd: host.root,
      env: { PATH: process.env["PATH"], HOME: host.root, ...env },
    });
    const ready = await fetch(`${host.url}/api/ready`);
    await host.stop();
    expect({ code, status: ready.status }).toEqual({ code: 1, status: 200 });
    expect(err).toMatch(/^tugtalk host: the host at \S+ \(pid \d+\) has the data folder [^\n]+\n$/);
  });
