/**
 * `npm run image`: builds the image of `Containerfile` without root, and runs `tugtalk host` in it as its
 * user, with a root that is read-only. No registry of images is needed: debootstrap makes the base, once.
 * Needs root here, for debootstrap and for making a user, and Debian's `debootstrap`, `buildah` and `uidmap`.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(".cache/debian-root.tar");
const USER = "tugtalk-image";
const BASE = "localhost/debian-root";
const IMAGE = "localhost/tugtalk";

/** Makes a root of Debian as a tarball, from the mirror of `apt-get`. */
const MAKE_ROOT = `
root=$(mktemp --directory)
debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" >&2
tar --create --directory "$root" --file "$0.draft" .
mv "$0.draft" "$0"
rm --recursive "$root"`;

/** Runs in the folder of the image: $0 is the base, $1 the image, $2 the binary. */
const BUILD = `
printf 'FROM scratch\\nADD root.tar /\\n' > Base
buildah build --tag "$0" --file Base .
buildah build --tag "$1" --build-arg "BASE=$0" --build-arg "BINARY=$2" --file Containerfile .`;

/** Mounts the image as a container's root and runs the host in it, as root of a namespace of its own. */
const RUN = `
container=$(buildah from "$0")
root=$(buildah mount "$container")
mount --bind "$root" "$root"
for path in data home/tugtalk projects tmp; do
  mount -t tmpfs -o mode=1777 tmpfs "$root/$path"
done
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc" || mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root"
inside() {
  exec chroot --userspec=10001:10001 "$root" /usr/bin/env -i HOME=/home/tugtalk PATH=/usr/local/bin:/usr/bin:/bin "$@"
}
echo "user: $(inside id --user)"
if (inside touch /usr/local/file) 2>/dev/null; then echo "root: writable"; else echo "root: read-only"; fi
cd /
inside tugtalk host --listen=127.0.0.1 --allow-host=localhost --port=0 --data=/data --dir=/projects --json > "$1" &
host=$!
for _ in $(seq 100); do
  if [ -s "$1" ]; then break; fi
  sleep 0.1
done
port=$(sed 's/.*"port":\\([0-9]*\\).*/\\1/' "$1")
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /api/ready HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\n\\r\\n' "$port" >&3
echo "ready: $(head -n 1 <&3 | tr -d '\\r')"
exec 3>&-
kill $host
wait $host && echo "end: clean"`;

/** The expected output of `RUN`. */
const GOOD = ["user: 10001", "root: read-only", "ready: HTTP/1.1 200 OK", "end: clean"];

async function main(): Promise<void> {
  const started = performance.now();
  mkdirSync(".cache", { recursive: true });
  if (!existsSync(ROOT)) await step("base from debootstrap", ["sh", "-ec", MAKE_ROOT, ROOT]);
  await run([
    "sh",
    "-ec",
    `id ${USER} >/dev/null 2>&1 || useradd --system --add-subids-for-system ${USER}`,
  ]);
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-image-"));
  try {
    const binary = `tugtalk-linux-${process.arch}`;
    await run(["cp", "Containerfile", folder]);
    await run(["cp", "dist/tugtalk", join(folder, binary)]);
    await run(["cp", ROOT, join(folder, "root.tar")]);
    await run(["chown", "--recursive", USER, folder]);
    await step("build without root", asUser(folder, ["sh", "-ec", BUILD, BASE, IMAGE, binary]));
    const inNamespace = ["bash", "-ec", RUN, IMAGE, join(folder, "started.json")];
    const words = [
      "buildah",
      "unshare",
      "unshare",
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      ...inNamespace,
    ];
    const out = await step("run with a read-only root", asUser(folder, words));
    console.log(out.trimEnd());
    if (out.trimEnd() !== GOOD.join("\n")) process.exitCode = 1;
  } finally {
    // The folder has files of other users of the namespace.
    await run(
      asUser(folder, ["buildah", "unshare", "rm", "--recursive", "--force", join(folder, "home")]),
    );
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`all: ${Math.round((performance.now() - started) / 1000)} s`);
}

/** A command in the folder, as the unprivileged user whose images are in it. */
function asUser(folder: string, command: readonly string[]): readonly string[] {
  const home = join(folder, "home");
  const variables = {
    HOME: home,
    XDG_RUNTIME_DIR: join(home, "run"),
    TMPDIR: join(home, "tmp"),
    // These drivers work without mounts and cgroups.
    STORAGE_DRIVER: "vfs",
    BUILDAH_ISOLATION: "chroot",
  };
  const made = `mkdir -p "$XDG_RUNTIME_DIR" "$TMPDIR" && exec "$@"`;
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const user = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--init-groups"];
  return ["env", `--chdir=${folder}`, ...environment, ...user, "sh", "-c", made, "sh", ...command];
}

async function step(name: string, command: readonly string[]): Promise<string> {
  const started = performance.now();
  const out = await run(command);
  console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
  return out;
}

/** The output of the command on stdout. Its log is shown when it fails. */
async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, log] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return out;
  throw new Error(`failed: ${command.join(" ")}\n${out}\n${log.slice(-3000)}`);
}

await main();
