/**
 * Builds the schemas of profiles: plain JSON Schemas that know the type they describe. Every command checks a city, and
 * a schema library takes longer to load than everything else at its start.
 */

/**
 * The keywords of JSON Schema that profiles use, and our own. `oneKeyOf`: exactly one of these keys must be present.
 */
export type SchemaWords = {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  anyOf?: readonly Schema[];
  properties?: Fields;
  required?: readonly string[];
  additionalProperties?: Schema | true;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: readonly string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  oneKeyOf?: readonly string[];
  isOptional?: boolean;
  isFunction?: boolean;
  /** Marks the fields of `city.yaml` that name a column of the register. */
  isColumn?: boolean;
  /** The end of the sentence "NAME must be ...". */
  wanted?: string;
  /** The prefix for the names of nested fields. Default: the path of the field. */
  section?: string;
};

/** A schema. `Value` is the type that it describes. `~value` exists only for the compiler. */
export interface Schema<Value = unknown> extends SchemaWords {
  '~value'?: Value;
}

/** A file or folder, relative to the profile or absolute, or an http(s) URL. */
export type Place = { file: string } | { url: string };

export type Fields = { readonly [name: string]: Schema };

export interface Optional<Value> extends Schema<Value> {
  isOptional: true;
}

export type Static<One extends Schema> = One extends Schema<infer Value> ? Value : never;

type OptionalName<All extends Fields> = {
  [Name in keyof All]: All[Name] extends { isOptional: true } ? Name : never;
}[keyof All];

export type StaticFields<All extends Fields> = {
  [Name in Exclude<keyof All, OptionalName<All>>]: Static<All[Name]>;
} & {
  [Name in OptionalName<All>]?: Static<All[Name]>;
};

export function objectOf<const All extends Fields>(
  properties: All,
  options: SchemaWords = {},
): Schema<StaticFields<All>> {
  const required = Object.keys(properties).filter((name) => properties[name]!.isOptional !== true);
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

export function optional<Value>(schema: Schema<Value>): Optional<Value> {
  return { ...schema, isOptional: true };
}

export function text(wanted = 'a text', options: SchemaWords = {}): Schema<string> {
  return { type: 'string', pattern: '\\S', wanted, ...options };
}

/** A text of one of the formats in `check-value.ts`. */
export function textOf(format: string, wanted?: string): Schema<string> {
  return { type: 'string', format, ...(wanted && { wanted }) };
}

export function anyText(options: SchemaWords): Schema<string> {
  return { type: 'string', ...options };
}

export function numberOf(options: SchemaWords): Schema<number> {
  return { type: 'number', ...options };
}

export function integerOf(options: SchemaWords): Schema<number> {
  return { type: 'integer', ...options };
}

export function listOf<Value>(items: Schema<Value>, options: SchemaWords = {}): Schema<readonly Value[]> {
  return { type: 'array', items, ...options };
}

export function recordOf<Value>(value: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  return { type: 'object', properties: {}, additionalProperties: value };
}

export function oneOf<const Word extends string>(words: readonly Word[]): Schema<Word> {
  return { type: 'string', enum: words };
}

export function anyOf<const All extends readonly Schema[]>(
  schemas: All,
  options: SchemaWords = {},
): Schema<Static<All[number]>> {
  return { anyOf: schemas, ...options };
}
