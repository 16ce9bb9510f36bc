/** Conversation files that are imported as text, so that the built command contains them. */
declare module "*.jsonl" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: an import with `type: "text"` has no other export
  export default text;
}
