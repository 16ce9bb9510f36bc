/**
 * The bill of materials of a release (SBOM), in JSON of CycloneDX 1.6. It lists the files of the package
 * and of the release, the packages whose code is in them, and the packages that npm installs beside the
 * package. It has no date, and its serial number is its hash: two builds of the same sources have the same
 * bill.
 */
import bun from "bun/package.json" with { type: "json" };
import type { BundledPackage } from "./bundled-packages.ts";
import { type LockedPackage, lockedClosure, lockedPackage } from "./locked-packages.ts";
import { binaryName, PLATFORMS, type Platform } from "./release-binaries.ts";
import { type Hashes, sha256 } from "./release-files.ts";
import type { Place } from "./release-place.ts";

/** The fields of `package.json` in a bill. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** The materials of a release. */
export type Materials = {
  readonly manifest: Manifest;
  readonly place: Exclude<Place, { readonly missing: string }>;
  /** The name of the tarball, and the files in it. */
  readonly tarball: string;
  readonly packed: Hashes;
  /** The files of the release, with the tarball. */
  readonly files: Hashes;
  readonly bundled: readonly BundledPackage[];
  readonly platforms: readonly Platform[];
};

export function formatBill(materials: Materials): string {
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      tools: { components: [{ type: "application", name: "bun", version: Bun.version }] },
      component: packageComponent(materials),
    },
    components: [...fileComponents(materials), ...libraryComponents(materials)],
    dependencies: dependenciesOf(materials),
  };
  const serialNumber = `urn:uuid:${uuidOf(sha256(Buffer.from(JSON.stringify(bill))))}`;
  const { bomFormat, specVersion, ...rest } = bill;
  return `${JSON.stringify({ bomFormat, specVersion, serialNumber, ...rest }, undefined, 2)}\n`;
}

/** A UUID of version 8, whose bits its maker may choose. */
function uuidOf(hash: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function purlOfPackage({ name, version }: LockedPackage): string {
  return purlOf(name, version);
}

function hashOf(content: string | undefined) {
  if (content === undefined) throw new Error("a file of the release has no hash");
  return [{ alg: "SHA-256", content }];
}

function packageComponent({ manifest, place, tarball, packed, files }: Materials) {
  const { name, version, description, license } = manifest;
  return {
    type: "application",
    "bom-ref": purlOf(name, version),
    name,
    version,
    description,
    hashes: hashOf(files.get(tarball)),
    licenses: [{ license: { id: license } }],
    purl: purlOf(name, version),
    externalReferences: [
      { type: "vcs", url: place.repository },
      { type: "security-contact", url: `mailto:${place.contact}` },
    ],
    components: [...packed].map(([path, hash]) => ({
      type: "file",
      "bom-ref": `${tarball}/${path}`,
      name: path,
      hashes: hashOf(hash),
    })),
  };
}

function fileComponents({ manifest: { license }, tarball, files }: Materials) {
  return [...files]
    .filter(([name]) => name !== tarball)
    .map(([name, hash]) => ({
      type: "file",
      "bom-ref": name,
      name,
      hashes: hashOf(hash),
      licenses: [{ license: { id: license } }],
    }));
}

/**
 * The bundled packages, and then those that npm installs: Bun, with a package for each platform, and zod for
 * its types.
 */
function libraryComponents({ manifest, bundled }: Materials) {
  const direct = [...bundled.map(({ name }) => name), ...Object.keys(manifest.dependencies)];
  return lockedClosure(direct).map((one) => libraryComponent(one, bundled));
}

function libraryComponent(
  { name, version, sha512 }: LockedPackage,
  bundled: readonly BundledPackage[],
) {
  const found = bundled.find((one) => one.name === name);
  if (found !== undefined && found.version !== version)
    throw new Error(`${name} ${found.version} is installed, and bun.lock has ${version}`);
  return {
    type: "library",
    "bom-ref": purlOf(name, version),
    name,
    version,
    hashes: [{ alg: "SHA-512", content: sha512 }],
    licenses: [{ license: { id: found?.license ?? licenseOfBun(name) } }],
    purl: purlOf(name, version),
    properties: [{ name: "tugtalk:bundled", value: String(found !== undefined) }],
  };
}

/** The licence of Bun, which is the same for all platforms: only one of them is installed here. */
function licenseOfBun(name: string): string {
  if (/^(?:bun$|@oven\/bun-)/.test(name)) return bun.license;
  throw new Error(`${name} is neither in a bundle nor a part of Bun`);
}

/**
 * The package needs its bundled packages and those that npm installs with it. A binary needs its bundled
 * packages and the Bun of its platform.
 */
function dependenciesOf({ manifest, bundled, platforms }: Materials) {
  const refOf = (key: string) => purlOfPackage(lockedPackage(key));
  const names = bundled.map(({ name }) => name);
  const direct = [...new Set([...names, ...Object.keys(manifest.dependencies)])].sort();
  return [
    { ref: purlOf(manifest.name, manifest.version), dependsOn: direct.map(refOf) },
    ...platforms.map((platform) => ({
      ref: binaryName(platform),
      dependsOn: [...names, PLATFORMS[platform].runtime].sort().map(refOf),
    })),
    ...lockedClosure(direct).map((one) => ({
      ref: purlOfPackage(one),
      dependsOn: [...new Set(one.dependencies.map(refOf))],
    })),
  ];
}
