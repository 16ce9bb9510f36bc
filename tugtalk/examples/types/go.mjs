/** Types for Go 1.18 or later, with the standard library alone. */
import { pascal } from "./declarations.mjs";

const SCALARS = {
  string: "string",
  integer: "int64",
  number: "float64",
  boolean: "bool",
  any: "json.RawMessage",
};

const PRELUDE = `// Made from the JSON Schema of tugtalk by types.mjs.
package main

import "encoding/json"

// tagOf is the text of the field by which the kinds of a union differ.
func tagOf(text []byte, field string) string {
	var fields map[string]json.RawMessage
	var tag string
	if json.Unmarshal(text, &fields) == nil {
		_ = json.Unmarshal(fields[field], &tag)
	}
	return tag
}

// withTags puts fields that have one possible value in front of the others.
func withTags(plain any, tags string) ([]byte, error) {
	text, err := json.Marshal(plain)
	if err != nil || len(text) == 2 {
		return []byte("{" + tags + "}"), err
	}
	return append([]byte("{"+tags+","), text[1:]...), nil
}
`;

const comment = (indent, name, doc) => (doc === "" ? "" : `${indent}// ${name}: ${doc}\n`);

function nameOf(type) {
  if (type.kind === "list") return `[]${nameOf(type.of)}`;
  if (type.kind === "map") return `map[string]${nameOf(type.of)}`;
  return type.name ?? SCALARS[type.kind];
}

/** A field that may be absent or null is a pointer, unless it is a list, a map or text of JSON. */
function fieldType({ type, isRequired }) {
  const isPointer = !["list", "map", "any"].includes(type.kind);
  return (isRequired && !type.isNullable) || !isPointer ? nameOf(type) : `*${nameOf(type)}`;
}

function printRecord({ name, doc, fields }) {
  const lines = fields
    .filter(({ constant }) => constant === undefined)
    .map((field) => {
      const key = field.isRequired ? field.name : `${field.name},omitempty`;
      const goName = pascal(field.name);
      return `${comment("\t", goName, field.doc)}\t${goName} ${fieldType(field)} \`json:"${key}"\`\n`;
    });
  const tags = fields
    .filter(({ constant }) => constant !== undefined)
    .map((field) => `"${field.name}":"${field.constant}"`);
  const marshal = `
func (value ${name}) MarshalJSON() ([]byte, error) {
	type plain ${name}
	return withTags(plain(value), \`${tags.join(",")}\`)
}
`;
  const type = `type ${name} struct {\n${lines.join("")}}\n`;
  return `${comment("", name, doc)}${type}${tags.length === 0 ? "" : marshal}`;
}

function printEnum({ name, doc, values }) {
  const lines = values.map((value) => `\t${name}${pascal(value)} ${name} = "${value}"\n`);
  return `${comment("", name, doc)}type ${name} string\n\nconst (\n${lines.join("")})\n`;
}

function printUnion({ name, doc, tag, variants }) {
  const cases = variants.map(
    ({ text, inner }) => `\tcase "${text}":\n\t\tvalue.Value = new(${inner})\n`,
  );
  const kinds = variants.map(({ inner }) => `*${inner}`).join(", ");
  return `${comment("", name, doc)}//
// Value is one of ${kinds}, or json.RawMessage for an unknown kind.
type ${name} struct{ Value any }

func (value *${name}) UnmarshalJSON(text []byte) error {
	switch tagOf(text, "${tag}") {
${cases.join("")}\tdefault:
		value.Value = append(json.RawMessage{}, text...)
		return nil
	}
	return json.Unmarshal(text, value.Value)
}

func (value ${name}) MarshalJSON() ([]byte, error) { return json.Marshal(value.Value) }
`;
}

const PRINT = { record: printRecord, enum: printEnum, union: printUnion };

export function printGo(declarations) {
  const parts = declarations.map((declaration) => PRINT[declaration.kind](declaration));
  return [PRELUDE, ...parts].join("\n");
}
