/** The files of npm packages, as `bun.lock` knows them by the hash of their tarballs. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lockedPackage } from "./locked-packages.ts";

export type PackageFiles = ReadonlyMap<string, Blob>;

/** The files by their paths, which begin with `package/`. The tarball is fetched once. */
export async function lockedFiles(name: string): Promise<PackageFiles> {
  const { version, sha512 } = lockedPackage(name);
  const path = join(".cache", "tarballs", `${name.replace("/", "-")}-${version}.tgz`);
  const bytes = await cachedBytes(path, sha512, (folder) => fetchTarball(folder, name, version));
  return new Bun.Archive(bytes).files();
}

/** The cached file with this SHA-512. If it is missing or differs, it is fetched into an empty folder. */
export async function cachedBytes(
  path: string,
  sha512: string,
  fetchInto: (folder: string) => Promise<string>,
): Promise<Uint8Array<ArrayBuffer>> {
  const cached = existsSync(path) ? await Bun.file(path).bytes() : undefined;
  if (cached !== undefined && sha512Of(cached) === sha512) return cached;
  await mkdir(dirname(path), { recursive: true });
  const draft = mkdtempSync(`${path}.`);
  try {
    const fetched = join(draft, await fetchInto(draft));
    const bytes = await Bun.file(fetched).bytes();
    if (sha512Of(bytes) !== sha512)
      throw new Error(`what was fetched for ${path} is not the package of bun.lock`);
    renameSync(fetched, path);
    return bytes;
  } finally {
    rmSync(draft, { recursive: true });
  }
}

function sha512Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha512").update(bytes).digest("hex");
}

/** The name of the tarball in the folder. */
async function fetchTarball(folder: string, name: string, version: string): Promise<string> {
  const words = ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`];
  const npm = Bun.spawn(["npm", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const file = (await new Response(npm.stdout).text()).trim();
  if ((await npm.exited) !== 0) throw new Error(`npm cannot fetch ${name} ${version}`);
  return file;
}

/** Throws if a file of these installed packages differs from the package in `bun.lock`. */
export async function checkInstalled(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const changed = await changedFiles(join("node_modules", name), await lockedFiles(name));
    if (changed.length === 0) continue;
    throw new Error(`not those of the package of bun.lock: ${changed.join(", ")}`);
  }
}

/** The paths of files in the folder that the package lacks, or has with other bytes. */
export async function changedFiles(folder: string, files: PackageFiles): Promise<string[]> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((one) => (one.isDirectory() ? [] : join(one.parentPath, one.name)));
  const changed: string[] = [];
  for (const path of paths.sort()) {
    const packed = files.get(`package${path.slice(folder.length)}`);
    const isSame =
      packed !== undefined &&
      Buffer.from(await packed.bytes()).equals(await Bun.file(path).bytes());
    if (!isSame) changed.push(path);
  }
  return changed;
}
