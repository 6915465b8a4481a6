/** Values of JSON as they are written in Python and in TypeScript. */
type Style = {
  indent: string
  key(name: string): string
  text(value: string): string
  word(value: boolean | null): string
}

const python: Style = {
  indent: '    ',
  key: (name) => JSON.stringify(name),
  text: (value) => JSON.stringify(value),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
}

const typescript: Style = {
  indent: '  ',
  // Written plainly, this one would set the prototype.
  key: (name) => (name === '__proto__' ? "['__proto__']" : /^[a-zA-Z_$][\w$]*$/.test(name) ? name : quoted(name)),
  text: (value) => quoted(value),
  word: String,
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const write = (value: unknown, style: Style, outer: string): string => {
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null || value === undefined) return style.word(value ?? null)
  const inner = outer + style.indent
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => write(item, style, inner))
    : Object.entries(value).map(([name, item]) => `${style.key(name)}: ${write(item, style, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  const line = items.join(', ')
  const space = isList || style.indent === '    ' ? '' : ' '
  if (line.length <= 60 && !line.includes('\n')) return `${open}${space}${line}${space}${close}`
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${outer}${close}`
}

export const pythonLiteral = (value: unknown, outer = ''): string => write(value, python, outer)
export const typescriptLiteral = (value: unknown, outer = ''): string => write(value, typescript, outer)
