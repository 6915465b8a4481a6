/** `JSON.parse` without its `any`: a schema, a type guard or a named cast says what the value is. */
export const parseJsonText = (text: string, revive?: (name: string, value: unknown) => unknown): unknown =>
  // biome-ignore lint/plugin/no-json-parse: the result is declared unknown
  JSON.parse(text, revive)
