/** Permission suggestions in words, with their scope. Pure. */
import { z } from "zod";

const Rules = z.array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() }));
const destination = z.string();

/** The six kinds that Claude suggests and the bridge takes back. */
const Suggestion = z.discriminatedUnion("type", [
  z.object({ type: z.literal("addRules"), destination, behavior: z.string(), rules: Rules }),
  z.object({ type: z.literal("replaceRules"), destination, behavior: z.string(), rules: Rules }),
  z.object({ type: z.literal("removeRules"), destination, behavior: z.string(), rules: Rules }),
  z.object({ type: z.literal("setMode"), destination, mode: z.string() }),
  z.object({
    type: z.literal("addDirectories"),
    destination,
    directories: z.array(z.string()),
  }),
  z.object({
    type: z.literal("removeDirectories"),
    destination,
    directories: z.array(z.string()),
  }),
]);
type Suggestion = z.infer<typeof Suggestion>;

const SCOPES: Readonly<Record<string, string>> = {
  session: "for this session",
  cliArg: "for this session",
  localSettings: "always, in this project, saved for you",
  projectSettings: "always, in this project, saved for all who work on it",
  userSettings: "always, in all your projects, saved",
};

/** What accepting a suggestion means. Nothing: a kind that is not known, which nobody should accept. */
export function describeSuggestion(given: unknown): string | undefined {
  const suggestion = Suggestion.safeParse(given).data;
  if (suggestion === undefined) return undefined;
  const scope = SCOPES[suggestion.destination] ?? `saved in ${suggestion.destination}`;
  return `${scope}: ${describeChange(suggestion)}`;
}

function describeChange(suggestion: Suggestion): string {
  switch (suggestion.type) {
    case "addRules":
      return `${suggestion.behavior} ${formatRules(suggestion.rules)}`;
    case "replaceRules":
      return `${suggestion.behavior} ${formatRules(suggestion.rules)} and nothing else`;
    case "removeRules":
      return `no longer ${suggestion.behavior} ${formatRules(suggestion.rules)}`;
    case "setMode":
      return describeMode(suggestion.mode);
    case "addDirectories":
      return `let Claude work in ${suggestion.directories.join(", ")}`;
    case "removeDirectories":
      return `keep Claude out of ${suggestion.directories.join(", ")}`;
  }
}

function describeMode(mode: string): string {
  return mode === "acceptEdits"
    ? "allow all edits of files (permission mode acceptEdits)"
    : `permission mode ${mode}`;
}

/** Rules in Claude's own notation, such as `Bash(git status:*)`. */
function formatRules(rules: z.infer<typeof Rules>): string {
  return rules
    .map(({ toolName, ruleContent }) =>
      ruleContent === undefined ? `every use of ${toolName}` : `${toolName}(${ruleContent})`,
    )
    .join(", ");
}
