/** Git in the folders of tests, without the settings of who runs them. */

/** Throws the output of Git if it fails. */
export function git(dir: string, ...args: readonly string[]): string {
  const settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...settings, "-C", dir, ...args], {
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return String(stdout);
}
