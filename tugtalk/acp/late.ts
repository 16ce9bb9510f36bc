/**
 * A part that neither a start nor a turn of text needs. Its first use loads it, since loading all these parts
 * takes longer than the rest of a start. The part is kept: from source, another `require` of the same module
 * costs more than most calls of the part.
 */
export function late<Part>(load: () => Part): () => Part {
  let part: Part | undefined;
  return () => {
    part ??= load();
    return part;
  };
}
