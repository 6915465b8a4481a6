import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { logLevels } from '../src/base/log-fields.ts'

/**
 * `docs/operate/log-events.schema.json`: all events of the log with their fields, read from the calls in the sources. Where a call
 * adds the fields of another object, the event is open.
 */
type Event = { levels: Set<string>; fields: Set<string>; isOpen: boolean }

const root = fileURLToPath(new URL('../', import.meta.url))
const call = /\blog(?:\.(info|warn|error)|\[[\w.]+\])\(\s*'(\w+)'\s*(,\s*)?/g

const readEvents = (): Map<string, Event> => {
  const events = new Map<string, Event>()
  const paths = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  for (const path of paths.sort()) {
    const text = readFileSync(`${root}${path}`, 'utf8')
    for (const { 0: found, 1: level, 2: name = '', 3: comma, index } of text.matchAll(call)) {
      const event = events.get(name) ?? { levels: new Set(), fields: new Set(), isOpen: false }
      events.set(name, event)
      for (const one of level === undefined ? logLevels : [level]) event.levels.add(one)
      const { fields, isOpen } = comma === undefined ? none : readFields(text, index + found.length)
      for (const field of fields) event.fields.add(field)
      if (isOpen) event.isOpen = true
    }
  }
  return events
}

const none = { fields: [], isOpen: false }

/** The names of an object literal. Another expression, and `...other`, may have any. */
const readFields = (text: string, start: number): { fields: string[]; isOpen: boolean } => {
  if (text[start] !== '{') return { fields: [], isOpen: text[start] !== ')' }
  const members = splitMembers(text, start + 1)
  const names = members.flatMap((member) => /^(\w+)\s*(?::|$)/.exec(member)?.[1] ?? [])
  return { fields: names, isOpen: names.length < members.length }
}

/** The text between the commas of an object literal, whatever is nested in them. */
const splitMembers = (text: string, start: number): string[] => {
  const members: string[] = []
  let depth = 0
  let from = start
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (`'"\``.includes(character)) at = text.indexOf(character, at + 1)
    else if ('{[('.includes(character)) depth += 1
    else if (depth > 0 && '}])'.includes(character)) depth -= 1
    else if (depth === 0 && (character === ',' || character === '}')) {
      members.push(text.slice(from, at).trim())
      from = at + 1
      if (character === '}') break
    }
  }
  return members.filter((member) => member !== '')
}

/** Those of every event. Parts of a model or an upstream add its name to theirs. */
const common = {
  time: { type: 'string', format: 'date-time', description: 'When it was logged, in UTC.' },
  model: { type: 'string', description: 'The model that the event is about.' },
  upstream: { type: 'string', description: 'The upstream that the event is about.' },
  requestId: {
    type: 'string',
    description: 'The `x-request-id` of the response, and the id of the request in the ledger and the console.',
  },
  repeated: { type: 'integer', minimum: 1, description: 'So many lines of the kind were left out before this one.' },
}

/** What the event of a request has beside the fields of its call. */
const requestFields = (): string[] => {
  const progress = readFileSync(`${root}src/api/generation/completion-progress.ts`, 'utf8')
  return ['clientClosed', ...[...progress.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name = '']) => name)]
}

const scalar = { $ref: '#/$defs/value' }

const eventSchema = ([name, { levels, fields, isOpen }]: [string, Event]) => {
  const known = name === 'request' ? [...fields, ...requestFields()] : [...fields]
  const own = [...new Set(known)].filter((field) => !(field in common)).sort()
  return {
    properties: {
      event: { const: name },
      level: { enum: logLevels.filter((level) => levels.has(level)) },
      ...Object.fromEntries(own.map((field) => [field, scalar])),
    },
    ...(isOpen ? { additionalProperties: scalar } : {}),
  }
}

export const documentLogEvents = (): string => {
  const events = [...readEvents()].sort(([one], [other]) => (one < other ? -1 : 1))
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the Helix log, one JSON object per line',
    type: 'object',
    required: ['time', 'level', 'event'],
    properties: common,
    oneOf: events.map(eventSchema),
    unevaluatedProperties: false,
    $defs: { value: { type: ['string', 'number', 'boolean', 'null'] } },
  }
  // An event on each line.
  const lines = Object.entries(schema).map(([name, value]) =>
    Array.isArray(value) && name === 'oneOf'
      ? `  "${name}": [\n${value.map((event) => `    ${JSON.stringify(event)}`).join(',\n')}\n  ]`
      : `  "${name}": ${JSON.stringify(value)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
