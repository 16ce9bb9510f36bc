/**
 * The address of the project and its contact: `repository.url` and `bugs.email` of `package.json`, and
 * nowhere else. npm shows them, and compares the first with the repository that has built the package.
 */
import { z } from "zod";

/** Both, or the sentence that names the missing ones. */
export type Place =
  | { readonly repository: string; readonly contact: string }
  | { readonly missing: string };

const Manifest = z.object({
  repository: z.object({ url: z.string() }),
  bugs: z.object({ email: z.string() }),
});

export function placeOf(manifest: unknown): Place {
  const { repository, bugs } = Manifest.parse(manifest);
  const fields = { "repository.url": repository.url, "bugs.email": bugs.email };
  const empty = Object.entries(fields).flatMap(([name, value]) => (value === "" ? [name] : []));
  if (empty.length === 0)
    return { repository: repository.url.replace(/^git\+/, ""), contact: bugs.email };
  const are = empty.length === 1 ? "it is" : "they are";
  return { missing: `fill in ${empty.join(" and ")} of package.json: ${are} a part of a release` };
}
