/** Types for Python 3.8 or later, with the standard library alone. */

const SCALARS = { string: "str", integer: "int", number: "float", boolean: "bool", any: "Any" };

const PRELUDE = `# Made from the JSON Schema of tugtalk by types.mjs.
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Dict, List, Literal, Optional, Union, get_args, get_origin, get_type_hints


@dataclass
class Unknown:
    """A message, or a part of one, of a kind that these types do not know."""

    raw: Any


class OpenEnum(str, Enum):
    """An enum whose unknown values are members, too."""

    @classmethod
    def _missing_(cls, value):
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member


hints_of = lru_cache(None)(get_type_hints)


@lru_cache(None)
def tags_of(shape):
    """The fields of a class that have one possible text."""
    literals = {name: hint for name, hint in hints_of(shape).items() if get_origin(hint) is Literal}
    return {name: get_args(hint)[0] for name, hint in literals.items()}


def from_json(shape, value):
    """A value of json.loads as one of a type of this module: from_json(OutboundMessage, value)."""
    if value is None:
        return None
    origin, args = get_origin(shape), get_args(shape)
    if origin is list:
        return [from_json(args[0], item) for item in value]
    if origin is dict:
        return {key: from_json(args[1], item) for key, item in value.items()}
    if origin is Union and Unknown not in args:  # Optional.
        return from_json(args[0], value)
    if origin is Union:
        classes = [one for one in args if one not in (Unknown, type(None))]
        known = (one for one in classes if tags_of(one).items() <= value.items())
        shape = next(known, None)
        return Unknown(value) if shape is None else from_json(shape, value)
    if is_dataclass(shape):
        hints = hints_of(shape)
        known = {name: value[name] for name in hints if name in value}
        return shape(**{name: from_json(hints[name], item) for name, item in known.items()})
    return shape(value) if isinstance(shape, type) and issubclass(shape, OpenEnum) else value


def to_json(value):
    """A value that json.dumps takes."""
    if isinstance(value, Unknown):
        return value.raw
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if not is_dataclass(value):
        return value
    shown = {one.name: (getattr(value, one.name), one.default is MISSING) for one in fields(value)}
    return {name: to_json(item) for name, (item, needed) in shown.items() if needed or item is not None}
`;

/** As Python writes a text. */
const literal = (text) => JSON.stringify(text);

function nameOf(type) {
  if (type.kind === "list") return `List[${nameOf(type.of)}]`;
  if (type.kind === "map") return `Dict[str, ${nameOf(type.of)}]`;
  return type.name === undefined ? SCALARS[type.kind] : literal(type.name);
}

function printField({ name, doc, type, isRequired, constant }) {
  const comment = doc === "" ? "" : `    # ${doc}\n`;
  if (constant !== undefined)
    return `${comment}    ${name}: Literal[${literal(constant)}] = ${literal(constant)}\n`;
  const hint = isRequired && !type.isNullable ? nameOf(type) : `Optional[${nameOf(type)}]`;
  return `${comment}    ${name}: ${hint}${isRequired ? "" : " = None"}\n`;
}

function printRecord({ name, doc, fields }) {
  const isFirst = ({ isRequired, constant }) => isRequired && constant === undefined;
  const sorted = [...fields.filter(isFirst), ...fields.filter((field) => !isFirst(field))];
  return `@dataclass\nclass ${name}:\n    ${literal(doc)}\n\n${sorted.map(printField).join("")}`;
}

function printEnum({ name, doc, values }) {
  const memberOf = (value) => value.replace(/\W/g, "_").replace(/(?<=[a-z])(?=[A-Z])/g, "_");
  const lines = values.map((value) => `    ${memberOf(value).toUpperCase()} = ${literal(value)}\n`);
  return `class ${name}(OpenEnum):\n    ${literal(doc)}\n\n${lines.join("")}`;
}

function printUnion({ name, doc, variants }) {
  const names = variants.map(({ inner }) => `    ${inner},\n`);
  return `# ${doc}\n${name} = Union[\n${names.join("")}    Unknown,\n]\n`;
}

const PRINT = { record: printRecord, enum: printEnum, union: printUnion };

/** Unions come after their members: unlike a hint, an alias is evaluated where it stands. */
export function printPython(declarations) {
  const isUnion = ({ kind }) => kind === "union";
  const depth = ({ variants }) =>
    variants.some(({ inner }) => declarations.some((one) => isUnion(one) && one.name === inner));
  const unions = declarations.filter(isUnion).sort((a, b) => depth(a) - depth(b));
  const others = declarations.filter((declaration) => !isUnion(declaration));
  const parts = [...others, ...unions].map((declaration) => PRINT[declaration.kind](declaration));
  return [PRELUDE, ...parts].join("\n\n");
}
