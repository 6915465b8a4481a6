/**
 * A `fetch` for clients that checks all traffic against the official schemas: the request, the whole answer, each chunk
 * of a stream and each error. It neither changes nor delays anything.
 */
import { type ErrorObject, Ajv2020 as Validator } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createParser } from 'eventsource-parser'
import { readOfficialSchemas } from './official-schemas.ts'

export type BodyChecks = {
  readonly fetch: typeof fetch
  /** Schema violations since the last call. */
  takeFaults(): string[]
  /** The number of checked bodies and chunks. */
  checked(): number
  /** The request id of the last answer that began. */
  lastRequestId(): string
}

export const createBodyChecks = (): BodyChecks => {
  let faults: string[] = []
  let checked = 0
  let lastRequestId = ''
  const check = (pointer: string, what: string, text: string): void => {
    checked += 1
    const problem = findProblem(pointer, text)
    if (problem !== null) faults.push(`${what}: ${problem} in ${text}`)
  }

  const checkedFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const sent = await request.clone().text()
    const response = await fetch(request)
    lastRequestId = response.headers.get('x-request-id') ?? ''
    const { pathname } = new URL(request.url)
    const what = `${request.method} ${pathname} ${response.status}`
    const operation = operationOf(request.method, pathname)
    if (operation === null) {
      if (response.ok) faults.push(`${what}: the official service has no such operation`)
    } else if (response.ok && sent !== '')
      check(`${operation}/requestBody/content/application~1json/schema`, what, sent)

    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const answered = response.ok ? `${operation}/responses/200/content/${escaped(type)}/schema` : errorPointer
    if (response.body === null) return response
    const watch = type === 'text/event-stream' ? watchEvents : watchText
    const passing = watch((text, isError) => check(isError ? errorPointer : answered, what, text))
    return new Response(response.body.pipeThrough(passing), response)
  }
  return {
    fetch: checkedFetch,
    takeFaults() {
      const taken = faults
      faults = []
      return taken
    },
    checked: () => checked,
    lastRequestId: () => lastRequestId,
  }
}

type Heard = (text: string, isError: boolean) => void
type Passing = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>

const watchText = (heard: Heard): Passing => {
  const pieces: Uint8Array[] = []
  return new TransformStream({
    transform(piece, passing) {
      pieces.push(piece)
      passing.enqueue(piece)
    },
    flush: () => heard(Buffer.concat(pieces).toString(), false),
  })
}

const watchEvents = (heard: Heard): Passing => {
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]') heard(data, data.startsWith('{"error"'))
    },
  })
  return new TransformStream({
    transform(piece, passing) {
      parser.feed(decoder.decode(piece, { stream: true }))
      passing.enqueue(piece)
    },
  })
}

const official = readOfficialSchemas()
const errorPointer = '/components/schemas/ErrorResponse'
/** The document has OpenAPI keywords that do not constrain a body. */
const validator = new Validator({ strict: false, allErrors: true, formats: { unixtime: Number.isSafeInteger } })
addFormats.default(validator)
validator.addSchema(official, 'official')

/** Null if valid. */
const findProblem = (pointer: string, text: string): string | null => {
  const validate = validator.getSchema(`official#${pointer}`)
  if (validate === undefined) return `the official document has no ${pointer}`
  try {
    return validate(JSON.parse(text)) ? null : (validate.errors ?? []).map(problemOf).join('; ')
  } catch (error) {
    return String(error)
  }
}

const problemOf = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`

const escaped = (segment: string): string => segment.replaceAll('/', '~1')

/** The operation's place in the document; null if it is not documented. */
const operationOf = (method: string, pathname: string): string | null => {
  const segments = pathname.replace(/^\/v1/, '').split('/')
  const found = Object.entries(official.paths).find(([template, operations]) => {
    const wanted = template.split('/')
    const fits = wanted.every((segment, index) => segment.startsWith('{') || segment === segments[index])
    return fits && wanted.length === segments.length && method.toLowerCase() in operations
  })
  return found === undefined ? null : `/paths/${escaped(found[0])}/${method.toLowerCase()}`
}
