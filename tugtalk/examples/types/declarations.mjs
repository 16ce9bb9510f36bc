/**
 * The declarations of a JSON Schema, as the printers of the languages need them: records with fields, enums
 * with values, and unions. The records of a union differ by the text in the field `tag`.
 */

/** `tool_use` is `ToolUse`. */
export const pascal = (name) =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase());

const ANY = { kind: "any" };

export function declarationsOf({ $defs }) {
  const reader = new SchemaReader($defs);
  for (const name of Object.keys($defs)) reader.refer(name);
  return [...reader.declarations.values()];
}

class SchemaReader {
  declarations = new Map();
  #definitions;

  constructor(definitions) {
    this.#definitions = definitions;
  }

  /** The type of a definition, which is read when it is first referred to. */
  refer(name) {
    const schema = this.#definitions[name];
    if (!this.declarations.has(name)) this.#typeOf(schema, name);
    if (schema.enum ?? schema.anyOf?.[0].enum) return { kind: "enum", name };
    return { kind: schema.type === "object" ? "record" : "union", name };
  }

  /** The type of a schema; one that needs a name gets `name`. */
  #typeOf(schema, name) {
    const { $ref, description: doc = "", enum: values, items = {} } = schema;
    if ($ref !== undefined) return this.refer(definitionName($ref));
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return this.#typeOfChoices(choices, name, doc);
    if (values !== undefined) return this.#declare({ kind: "enum", name, doc, values });
    const [type, orNull] = [schema.type].flat();
    if (orNull === "null") return { ...this.#typeOf({ ...schema, type }, name), isNullable: true };
    if (type === "array") return { kind: "list", of: this.#typeOf(items, name) };
    if (type === "object") return this.#typeOfObject(schema, name, doc);
    return type === undefined ? ANY : { kind: type };
  }

  #typeOfChoices(choices, name, doc) {
    const others = choices.filter(({ type }) => type !== "null");
    if (others.length < choices.length)
      return { ...this.#typeOf({ description: doc, ...others[0] }, name), isNullable: true };
    const [first, second] = choices;
    // Values of later versions are texts, and kinds of later versions are objects, too.
    if (first.enum !== undefined && second.type === "string")
      return this.#declare({ kind: "enum", name, doc, values: first.enum });
    if (first.oneOf !== undefined || (first.$ref !== undefined && second.$ref === undefined))
      return this.#typeOf({ description: doc, ...first }, name);
    const isUnion = choices.every(({ $ref, type }) => $ref !== undefined || type === "object");
    return isUnion ? this.#declareUnion(choices, name, doc) : ANY;
  }

  #declareUnion(choices, name, doc) {
    const texts = choices.map((choice) => this.#constantsOf(choice));
    const isTag = (field) => new Set(texts.map((one) => one[field])).size === choices.length;
    const tag = Object.keys(texts[0]).find(isTag);
    const variants = choices.map((choice, at) => {
      const text = texts[at][tag];
      return { text, inner: this.#typeOf(choice, name + pascal(text)).name };
    });
    return this.#declare({ kind: "union", name, doc, tag, variants });
  }

  /** The fields with one possible text, of a record or of the records of a union. */
  #constantsOf({ $ref, oneOf, properties }) {
    if ($ref !== undefined) return this.#constantsOf(this.#definitions[definitionName($ref)]);
    if (oneOf !== undefined) return this.#constantsOf(oneOf[0]);
    const fields = Object.entries(properties).map(([field, schema]) => [field, schema.const]);
    return Object.fromEntries(fields.filter(([, text]) => typeof text === "string"));
  }

  #typeOfObject({ properties, additionalProperties: values, required = [] }, name, doc) {
    if (properties === undefined)
      return values ? { kind: "map", of: this.#typeOf(values, name) } : ANY;
    // A block of Claude's, of which the schema has the kind alone.
    if (Object.keys(properties).join() === "type" && !(name in this.#definitions)) return ANY;
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      doc: schema.description ?? "",
      type: this.#typeOf(schema, name + pascal(field)),
      isRequired: required.includes(field),
      constant: typeof schema.const === "string" ? schema.const : undefined,
    }));
    return this.#declare({ kind: "record", name, doc, fields });
  }

  #declare(declaration) {
    this.declarations.set(declaration.name, declaration);
    return { kind: declaration.kind, name: declaration.name };
  }
}

const definitionName = (reference) => reference.replace("#/$defs/", "");
