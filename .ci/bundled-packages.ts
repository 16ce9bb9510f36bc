/** The npm packages whose code is in the products of the build, by the reports of the bundler. */
import { z } from "zod";

/** A bundled package as it is installed here. */
export type BundledPackage = z.infer<typeof BundledPackage>;
export const BundledPackage = z.object({
  name: z.string(),
  version: z.string(),
  /** The licence by its SPDX name. */
  license: z.string(),
  /** The text that has to come with every copy of the code. */
  licenseText: z.string(),
});

const Manifest = BundledPackage.pick({ version: true, license: true });

/** The packages with at least one byte in an output, by name. */
export function bundledPackages(bundles: readonly Bun.BuildOutput[]): Promise<BundledPackage[]> {
  const paths = bundles.flatMap(({ metafile }) =>
    Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [path] : [],
      ),
    ),
  );
  const names = paths.flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return Promise.all([...new Set(names)].sort().map(readPackage));
}

async function readPackage(name: string): Promise<BundledPackage> {
  const folder = `node_modules/${name}`;
  const { version, license } = Manifest.parse(await Bun.file(`${folder}/package.json`).json());
  return { name, version, license, licenseText: await Bun.file(`${folder}/LICENSE`).text() };
}

/** The file of the package with the texts of all their licences. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const head =
    "The programs of this package contain code of the packages below, under these licences.\n";
  const texts = packages.map(
    ({ name, version, license, licenseText }) =>
      `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${licenseText.trim()}\n`,
  );
  return [head, ...texts].join("\n");
}
