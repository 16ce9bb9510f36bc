/**
 * A real `sshd` on loopback with keys and a configuration of its own, as a machine for sessions. It has a
 * home of its own, and a `tugtalk` on its PATH. The Claude of that records whether another one runs in its
 * folder.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { CHECKED_COMMAND, FAULTS } from "../../../../testing/drivers/bridge-process.ts";

const RECORDING_CLAUDE = join(import.meta.dir, "../../../../testing/drivers/recording-claude.ts");

export type SshServer = {
  /** A temporary folder, with the home of the machine in `home`. */
  readonly root: string;
  /** The prefix for commands. `build-box`, and any name that begins with `box`, is this machine. */
  readonly prefix: (name: string) => readonly string[];
  readonly stop: () => Promise<void>;
};

/** The Claude of the machine's `tugtalk`, and the environment there. */
export type SshMachine = {
  readonly claude?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts an `sshd`. Rejects with its output if it does not serve. */
export async function startSshServer(machine: SshMachine = {}): Promise<SshServer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tugtalk-sshd-")));
  for (const name of ["bin", "home", "tmp"]) mkdirSync(join(root, name));
  for (const name of ["host_key", "user_key"]) makeKey(join(root, name));
  writeMachine(root, machine);
  const port = freePort();
  writeFileSync(join(root, "sshd_config"), serverConfig(root, port, machine));
  writeFileSync(join(root, "ssh_config"), clientConfig(root, port));
  // An sshd of root needs the folder of its unprivileged process.
  if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true });
  const sshd = Bun.which("sshd", { PATH: `${process.env["PATH"]}:/usr/sbin` }) ?? "sshd";
  const child = Bun.spawn([sshd, "-D", "-e", "-f", join(root, "sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await serves(child);
  return {
    root,
    prefix: (name) => ["ssh", "-F", join(root, "ssh_config"), name],
    stop: async () => {
      child.kill();
      await child.exited;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Whether a Claude was started in this folder while another one ran there. */
export function hadTwoClaudes(dir: string): boolean {
  return existsSync(`${dir}.overlaps`);
}

async function serves(child: Bun.Subprocess<"ignore", "ignore", "pipe">): Promise<void> {
  let said = "";
  const decoder = new TextDecoder();
  const reader = child.stderr.getReader();
  while (!said.includes("Server listening")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`sshd does not serve: ${said}`);
    said += decoder.decode(value);
  }
  // Later lines are read and dropped, so that sshd never waits.
  void (async () => {
    while (!(await reader.read()).done);
  })();
}

function makeKey(path: string): void {
  const { exitCode } = Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path]);
  if (exitCode !== 0) throw new Error(`ssh-keygen failed for ${path}`);
}

/** A free port. Another process may take it first; then sshd reports that. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

function writeMachine(root: string, { claude }: SshMachine): void {
  const guard = `#!/bin/sh
lock="$PWD.lock"
if [ -e "$lock" ] && kill -0 "$(cat "$lock")" 2>/dev/null; then echo $$ >>"$PWD.overlaps"; fi
echo $$ >"$lock"
exec ${claude ?? `${process.execPath} ${RECORDING_CLAUDE}`} "$@"
`;
  const tugtalk = `#!/bin/sh
exec ${CHECKED_COMMAND.join(" ")} --claude=${root}/bin/guarded-claude "$@"
`;
  writeFileSync(join(root, "bin", "guarded-claude"), guard, { mode: 0o755 });
  writeFileSync(join(root, "bin", "tugtalk"), tugtalk, { mode: 0o755 });
}

function serverConfig(root: string, port: number, { env = {} }: SshMachine): string {
  const variables = {
    HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: join(root, "home", ".claude"),
    XDG_STATE_HOME: join(root, "home", ".state"),
    TMPDIR: join(root, "tmp"),
    TUGTALK_SIM_SPEED: "max",
    ...FAULTS,
    ...env,
    PATH: `${join(root, "bin")}:${process.env["PATH"]}`,
  };
  const set = Object.entries(variables).map(([name, value]) => `"${name}=${value}"`);
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${root}/host_key
PidFile none
AuthorizedKeysFile ${root}/user_key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
MaxStartups 100
MaxSessions 100
LogLevel INFO
SetEnv ${set.join(" ")}
`;
}

function clientConfig(root: string, port: number): string {
  return `Host box* build-box
  HostName 127.0.0.1
  Port ${port}
  IdentityFile ${root}/user_key
  IdentitiesOnly yes
  BatchMode yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
`;
}
