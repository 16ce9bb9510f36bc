/** The type of a value of a JSON Schema, as far as types can express it; `unknown` for the rest. */

/** A JSON Schema as a literal. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of the schema. */
export type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Type }
      ? OfType<Schema, Type>
      : unknown;

type OfType<Schema, Type> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends "array"
    ? ItemsOf<Schema>
    : Type extends "object"
      ? ObjectOf<Schema>
      : unknown;

type Scalars = { string: string; number: number; integer: number; boolean: boolean; null: null };

type ItemsOf<Schema> = Schema extends { readonly items: infer Items }
  ? readonly ValueOf<Items>[]
  : readonly unknown[];

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Plain<
      { readonly [Key in RequiredOf<Schema> & keyof Properties]: ValueOf<Properties[Key]> } & {
        readonly [Key in Exclude<keyof Properties, RequiredOf<Schema>>]?: ValueOf<Properties[Key]>;
      }
    >
  : Readonly<Record<string, unknown>>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Key
  : never;

/** One object in place of a sum of objects. */
type Plain<Sum> = { [Key in keyof Sum]: Sum[Key] };
