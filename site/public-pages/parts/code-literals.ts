/** A value as it is written in a language, over several lines where it does not fit one. */
type Writer = {
  key(name: string): string
  text(text: string): string
  word: Readonly<Record<'true' | 'false' | 'null', string>>
  /** Around lists and objects, and whether the last entry is followed by a comma. */
  list: readonly [string, string]
  object: readonly [string, string]
  lastComma: boolean
  /** The values of lines below each other begin in one column. */
  isAligned: boolean
  indent: string
}

const maxLine = 72

const json: Writer = {
  key: (name) => `"${name}": `,
  text: (text) => JSON.stringify(text),
  word: { true: 'true', false: 'false', null: 'null' },
  list: ['[', ']'],
  object: ['{', '}'],
  lastComma: false,
  isAligned: false,
  indent: '  ',
}

const writers = {
  json,
  python: {
    ...json,
    word: { true: 'True', false: 'False', null: 'None' },
    lastComma: true,
    indent: '    ',
  },
  typescript: {
    ...json,
    key: (name) => `${name}: `,
    text: (text) => `'${text.replaceAll("'", "\\'")}'`,
    object: ['{ ', ' }'],
    lastComma: true,
  },
  go: {
    ...json,
    word: { true: 'true', false: 'false', null: 'nil' },
    list: ['[]any{', '}'],
    object: ['map[string]any{', '}'],
    lastComma: true,
    isAligned: true,
    indent: '\t',
  },
} as const satisfies Record<string, Writer>

/** `inset` is how far the line that it begins on is indented. */
export const codeLiteral = (language: keyof typeof writers, value: unknown, inset = ''): string =>
  write(writers[language], value, inset)

const write = (writer: Writer, value: unknown, inset: string): string => {
  if (typeof value === 'string') return writer.text(value)
  if (typeof value !== 'object' || value === null) return writer.word[asWord(value)] ?? String(value)
  const [open, close] = Array.isArray(value) ? writer.list : writer.object
  const inner = `${inset}${writer.indent}`
  const named = Array.isArray(value)
    ? value.map((each) => ['', write(writer, each, inner)] as const)
    : Object.entries(value).map(([name, each]) => [writer.key(name), write(writer, each, inner)] as const)
  const line = `${open}${named.map((entry) => entry.join('')).join(', ')}${close}`
  if (inset !== '' && !line.includes('\n') && inset.length + line.length <= maxLine) return line
  const width = writer.isAligned && !named.some(([, text]) => text.includes('\n')) ? longest(named) : 0
  const entries = named.map(([name, text]) => `${name.padEnd(width)}${text}`)
  return `${open.trimEnd()}\n${entries.map((entry) => `${inner}${entry}`).join(',\n')}${writer.lastComma ? ',' : ''}\n${inset}${close.trimStart()}`
}

const longest = (named: readonly (readonly [string, string])[]): number =>
  Math.max(...named.map(([name]) => name.length))

/** Numbers are none of these, and are written as they are. */
const asWord = (value: unknown): 'true' | 'false' | 'null' => String(value) as 'true' | 'false' | 'null'
