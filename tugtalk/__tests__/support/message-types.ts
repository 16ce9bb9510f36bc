/** The types of the messages that a schema allows. */

/** The `type` of every message in a union, and in the unions inside it. */
export function typesIn(schema: unknown): string[] {
  const { options, shape } = schema as {
    readonly options?: readonly unknown[];
    readonly shape?: { readonly type: { readonly value: string } };
  };
  return shape === undefined ? (options ?? []).flatMap(typesIn) : [shape.type.value];
}
