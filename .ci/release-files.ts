/** The files of a release by their names and hashes. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** The folder into which `npm run release` writes. */
export const RELEASE = "dist/release";

/** The list of hashes, in the form of `sha256sum`. */
export const CHECKSUMS = "SHA256SUMS";

/** The bill of materials of all files. */
export const BILL = "tugtalk.cdx.json";

/** Hashes by names, in the order of names. */
export type Hashes = ReadonlyMap<string, string>;

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** The hashes of all files of a release but the list itself, also of files in folders in it. */
export function hashFolder(folder: string): Promise<Hashes> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => name !== CHECKSUMS);
  return hashAll(names.map((name) => [name, Bun.file(join(folder, name))]));
}

/** The hashes of the files that the package installs. */
export async function hashPackage(tarball: string): Promise<Hashes> {
  return hashAll(await new Bun.Archive(await Bun.file(tarball).bytes()).files());
}

async function hashAll(files: Iterable<readonly [string, Blob]>): Promise<Hashes> {
  const hashes = new Map<string, string>();
  for (const [name, file] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    hashes.set(name, sha256(await file.bytes()));
  return hashes;
}

export function formatChecksums(hashes: Hashes): string {
  return [...hashes].map(([name, hash]) => `${hash}  ${name}\n`).join("");
}

/** The hashes in a list. An invalid line is left out, so that its file counts as missing. */
export function parseChecksums(text: string): Hashes {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash = "", name = ""]) => [
      name,
      hash,
    ]),
  );
}
