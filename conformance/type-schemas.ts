/**
 * JSON Schemas of the interfaces in a declaration file of an official library, which says exactly what the service sends and
 * accepts. It understands what these generated files contain: interfaces, unions, literals, arrays and namespaces. Objects
 * have no properties but the declared ones.
 */
import { readFileSync } from 'node:fs'

export type TypeSchema = { [keyword: string]: unknown; properties?: Record<string, TypeSchema>; required?: string[] }

type Declarations = Map<string, TypeSchema>
/** `names`: what the files call each other, and the prefix of its names here. */
type File = { path: string; prefix: string; names: Readonly<Record<string, string>> }

/** The schemas of all files by their prefixed names, referring to each other under `base`. */
export const readTypeSchemas = (files: readonly File[], base: string): Record<string, TypeSchema> => {
  const declared: Declarations = new Map()
  for (const file of files) parseFile(file, declared)
  return Object.fromEntries([...declared].map(([name, schema]) => [name, resolved(schema, declared, base)] as const))
}

const tokensOf = (text: string): string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\d+|=>|\S/g) ?? []

const parseFile = ({ path, prefix, names }: File, declared: Declarations): void => {
  const tokens = tokensOf(readFileSync(path, 'utf8'))
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const next = (): string => {
    at += 1
    return tokens[at - 1] ?? ''
  }
  const accept = (token: string): boolean => peek() === token && next() === token
  const expect = (token: string): void => {
    const found = next()
    if (found !== token)
      throw new Error(`expected ${token} in ${path}, found ${tokens.slice(at - 5, at + 5).join(' ')}`)
  }
  /** From an opening bracket to behind its end. */
  const skipBalanced = (open: string, close: string): void => {
    let depth = 0
    do {
      const token = next()
      if (token === open) depth += 1
      if (token === close) depth -= 1
    } while (depth > 0 && at < tokens.length)
  }
  const skipGenerics = (): void => {
    if (peek() === '<') skipBalanced('<', '>')
  }
  const referenceTo = (name: string, scope: string): TypeSchema => {
    const [first = '', ...rest] = name.split('.')
    const known = names[first]
    if (known !== undefined) return { $type: [known, ...rest].filter((part) => part !== '').join('.') }
    return { $type: name, $scope: scope }
  }

  const parseObject = (scope: string): TypeSchema => {
    expect('{')
    const properties: Record<string, TypeSchema> = {}
    const required: string[] = []
    let additional: TypeSchema | false = false
    while (!accept('}')) {
      if (accept('[')) {
        while (!accept(']')) next()
        expect(':')
        additional = parseType(scope)
      } else {
        const name = next().replace(/^['"]|['"]$/g, '')
        const isOptional = accept('?')
        expect(':')
        properties[name] = parseType(scope)
        if (!isOptional) required.push(name)
      }
      accept(';')
    }
    return { type: 'object', properties, required, additionalProperties: additional }
  }
  const parseOne = (scope: string): TypeSchema => {
    const token = peek()
    if (token === '{') return parseObject(scope)
    next()
    if (token === '(') {
      const inner = parseType(scope)
      expect(')')
      return inner
    }
    if (/^['"]/.test(token)) return { const: token.slice(1, -1) }
    if (/^\d+$/.test(token)) return { const: Number(token) }
    if (token === 'true' || token === 'false') return { const: token === 'true' }
    if (['string', 'number', 'boolean', 'null'].includes(token)) return { type: token }
    if (['unknown', 'any', 'undefined', 'never'].includes(token)) return {}
    if (token === 'Array' || token === 'ReadonlyArray') {
      expect('<')
      const items = parseType(scope)
      expect('>')
      return { type: 'array', items }
    }
    skipGenerics()
    return referenceTo(token, scope)
  }
  const parsePostfix = (scope: string): TypeSchema => {
    let parsed = parseOne(scope)
    while (peek() === '[' && tokens[at + 1] === ']') {
      at += 2
      parsed = { type: 'array', items: parsed }
    }
    return parsed
  }
  /** `string & {}` is any string beside the suggested ones. */
  const parseAll = (scope: string): TypeSchema => {
    const parsed = parsePostfix(scope)
    while (accept('&')) parsePostfix(scope)
    return parsed
  }
  const parseType = (scope: string): TypeSchema => {
    accept('|')
    const of = [parseAll(scope)]
    while (accept('|')) of.push(parseAll(scope))
    return of.length === 1 ? (of[0] ?? {}) : { anyOf: of }
  }
  const nameOf = (scope: string, name: string): string => [scope, name].filter((part) => part !== '').join('.')
  const parseInterface = (scope: string): void => {
    const name = nameOf(scope, next())
    skipGenerics()
    const parents: TypeSchema[] = []
    if (accept('extends'))
      do {
        parents.push(referenceTo(next(), scope))
        skipGenerics()
      } while (accept(','))
    declared.set(name, { ...parseObject(name), ...(parents.length > 0 ? { $extends: parents } : {}) })
  }
  const parseDeclarations = (scope: string, isEnd: () => boolean): void => {
    while (!isEnd()) {
      const token = next()
      if (token === 'interface') parseInterface(scope)
      else if (token === 'namespace') {
        const name = nameOf(scope, next())
        expect('{')
        parseDeclarations(name, () => accept('}'))
      } else if (token === 'type' && tokens[at + 1] !== 'from' && /^\w/.test(peek())) {
        const name = nameOf(scope, next())
        skipGenerics()
        if (!accept('=')) continue
        declared.set(name, parseType(name))
        accept(';')
      } else if (token === 'import' || token === 'const') while (next() !== ';');
      else if (token === 'class') {
        while (peek() !== '{') next()
        skipBalanced('{', '}')
      } else if (token === '{') {
        at -= 1
        skipBalanced('{', '}')
      }
    }
  }
  parseDeclarations(prefix, () => at >= tokens.length)
}

/** References become those of JSON Schema, and an interface gets the properties of those that it extends. */
const resolved = (schema: TypeSchema, declared: Declarations, base: string): TypeSchema => {
  const find = (one: TypeSchema): string | null => {
    const { $type, $scope } = one
    const parts = String($scope ?? '').split('.')
    for (let length = $scope === undefined ? 0 : parts.length; length >= 0; length -= 1) {
      const name = [...parts.slice(0, length), String($type)].filter((part) => part !== '').join('.')
      if (declared.has(name)) return name
    }
    return null
  }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    if ('$type' in value) {
      const name = find(value)
      // What another file declares may be anything.
      return name === null ? {} : { $ref: `${base}${name}` }
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]))
  }
  const { $extends, ...own } = schema
  let merged: TypeSchema = own
  for (const parent of Array.isArray($extends) ? $extends : []) {
    const inherited = declared.get(find(parent) ?? '')
    if (inherited === undefined) return {}
    merged = {
      ...merged,
      properties: { ...inherited.properties, ...merged.properties },
      required: [...new Set([...(inherited.required ?? []), ...(merged.required ?? [])])],
    }
  }
  return Object(visit(merged))
}
