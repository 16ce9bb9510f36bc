/**
 * A host that can be killed: starts the given command and passes its own pipes on. After its exit, the
 * command has the pipes of a dead host.
 */
const child = Bun.spawn(process.argv.slice(2), {
  stdin: "pipe",
  stdout: "pipe",
  stderr: "inherit",
});

async function passInput(): Promise<void> {
  for await (const chunk of Bun.stdin.stream()) {
    child.stdin.write(chunk);
    await child.stdin.flush();
  }
  await child.stdin.end();
}

async function passOutput(): Promise<void> {
  const stdout = Bun.stdout.writer();
  for await (const chunk of child.stdout) {
    stdout.write(chunk);
    await stdout.flush();
  }
}

void passInput();
await passOutput();
process.exitCode = await child.exited;
