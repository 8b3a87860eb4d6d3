/** The parts of an OpenAPI 3.1 document that are used here. */

export type Schema = {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  $ref?: string;
};

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  description: string;
  required: boolean;
  schema: Schema;
  example?: unknown;
};

export type Header = { description: string; schema: Schema };
type Example = { summary: string; value: unknown };
type Content = Record<string, { schema: Schema; examples?: Record<string, Example> }>;

export type ResponseObject = {
  description: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Content;
};

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, ResponseObject>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};

export type ApiDocument = {
  info: { title: string; version: string; description: string };
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: Record<string, Schema>; headers?: Record<string, Header> };
};
