/** PostgreSQL's texts cannot contain the character U+0000. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? item.replaceAll('\0', '\ufffd') : item))
