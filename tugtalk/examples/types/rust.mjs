/** Types for Rust 1.63 or later, with serde and serde_json. */
import { pascal } from "./declarations.mjs";

const SCALARS = { string: "String", integer: "i64", number: "f64", boolean: "bool", any: "Value" };
const KEYWORDS = new Set([
  "async",
  "const",
  "in",
  "loop",
  "match",
  "mod",
  "move",
  "ref",
  "type",
  "use",
]);

const PRELUDE = `// Made from the JSON Schema of tugtalk by types.mjs.
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// An enum whose unknown values are \`Other\`.
macro_rules! open_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($variant,)* Other(String) }

        impl $name {
            pub fn as_str(&self) -> &str {
                match self { $($name::$variant => $text,)* $name::Other(text) => text }
            }
        }
        impl Default for $name {
            fn default() -> Self { $name::Other(String::new()) }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                Ok(match text.as_str() { $($text => $name::$variant,)* _ => $name::Other(text) })
            }
        }
    };
}

/// Records that differ by the text in one field. Records of an unknown kind are \`Unknown\`.
macro_rules! open_union {
    ($(#[$doc:meta])* $name:ident by $tag:literal { $($variant:ident($inner:ident) = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($variant(Box<$inner>),)* Unknown(Value) }

        $(impl From<$inner> for $name {
            fn from(inner: $inner) -> Self { $name::$variant(Box::new(inner)) }
        })*
        impl Default for $name {
            fn default() -> Self { $name::Unknown(Value::Null) }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let (inner, tag) = match self {
                    $($name::$variant(inner) => (serde_json::to_value(inner), $text),)*
                    $name::Unknown(value) => return value.serialize(to),
                };
                let mut value = inner.map_err(serde::ser::Error::custom)?;
                value[$tag] = tag.into();
                value.serialize(to)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(from)?;
                match value.get($tag).and_then(Value::as_str) {
                    $(Some($text) => serde_json::from_value(value).map($name::$variant).map_err(D::Error::custom),)*
                    _ => Ok($name::Unknown(value)),
                }
            }
        }
    };
}
`;

const comment = (indent, doc) => (doc === "" ? "" : `${indent}/// ${doc}\n`);

function nameOf(type) {
  if (type.kind === "list") return `Vec<${nameOf(type.of)}>`;
  if (type.kind === "map") return `BTreeMap<String, ${nameOf(type.of)}>`;
  return type.name ?? SCALARS[type.kind];
}

const snake = (name) => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

function printField({ name, doc, type, isRequired }) {
  const isOption = !isRequired || type.isNullable;
  const own = snake(name);
  const settings = [
    ...(own === name ? [] : [`rename = "${name}"`]),
    ...(isRequired ? [] : ["default", 'skip_serializing_if = "Option::is_none"']),
  ];
  const attribute = settings.length === 0 ? "" : `    #[serde(${settings.join(", ")})]\n`;
  const field = `${KEYWORDS.has(own) ? "r#" : ""}${own}`;
  const hint = isOption ? `Option<${nameOf(type)}>` : nameOf(type);
  return `${comment("    ", doc)}${attribute}    pub ${field}: ${hint},\n`;
}

/** Fields with one possible text are written by the union of the record. */
function printRecord({ name, doc, fields }) {
  const lines = fields.filter(({ constant }) => constant === undefined).map(printField);
  const derived = "#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]\n";
  return `${comment("", doc)}${derived}pub struct ${name} {\n${lines.join("")}}\n`;
}

function printEnum({ name, doc, values }) {
  const lines = values.map((value) => `        ${pascal(value)} = ${JSON.stringify(value)},\n`);
  return `open_enum! {\n${comment("    ", doc)}    ${name} {\n${lines.join("")}    }\n}\n`;
}

function printUnion({ name, doc, tag, variants }) {
  const lines = variants.map(
    ({ text, inner }) => `        ${inner}(${inner}) = ${JSON.stringify(text)},\n`,
  );
  return `open_union! {\n${comment("    ", doc)}    ${name} by "${tag}" {\n${lines.join("")}    }\n}\n`;
}

const PRINT = { record: printRecord, enum: printEnum, union: printUnion };

export function printRust(declarations) {
  const parts = declarations.map((declaration) => PRINT[declaration.kind](declaration));
  return [PRELUDE, ...parts].join("\n");
}
