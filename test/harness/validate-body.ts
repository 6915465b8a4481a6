import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapiDocument } from '../../src/api/openapi/document.ts'
import { controlOperations, serverOperations } from '../../src/control/control.ts'
import { operationJson } from '../../src/operations/openapi-operation.ts'
import { errorSchema } from '../../src/operations/openapi-parts.ts'
import { platformDocument } from '../../src/platform/contract/openapi-document.ts'

/** The data of one write: a whole body, or events of a stream. */
export type SeenBody = {
  method: string
  target: string
  status: number
  body: Buffer
  /** The media type without parameters; empty if there is no body. */
  type: string
  encoding: string
}

type Document = { paths: Record<string, Record<string, object>>; components: object }

/** Finds a document's schemas for answers; its paths are relative to the base URL, which includes `/v1`. */
const createContract = (name: string, { paths, components }: Document, prefix: string) => {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  ajv.addSchema({ $id: name, paths, components })
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (steps: readonly (string | number)[]): ValidateFunction => {
    const pointer = steps.map((step) => encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')))
    const reference = `${name}#/${pointer.join('/')}`
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference })
    compiled.set(reference, validate)
    return validate
  }
  const patterns = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${(prefix + path).replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    exact: !path.includes('{'),
  }))
  // A path without parameters comes first, as in the router.
  patterns.sort((a, b) => Number(b.exact) - Number(a.exact))
  return {
    errorsText: (validate: ValidateFunction) => ajv.errorsText(validate.errors),
    /** The validator, or a description of what is undocumented. */
    find({ method, target, status, type }: Omit<SeenBody, 'body' | 'encoding'>): ValidateFunction | null | string {
      const [sent = ''] = target.split('?')
      const found = patterns.find(({ path, pattern }) => pattern.test(sent) && paths[path]?.[method.toLowerCase()])
      if (status >= 400) {
        const operation = found === undefined ? undocumented(sent) : [found.path, method.toLowerCase()]
        const failure = ['paths', ...operation, 'responses', status < 500 ? '4XX' : '5XX']
        const own: unknown = failure.slice(1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), paths)
        return Object.hasOwn(Object(own), 'content')
          ? validatorAt([...failure, 'content', 'application/json', 'schema'])
          : validatorAt(['components', 'schemas', 'Error'])
      }
      if (found === undefined) return 'is not in the document'
      const steps = ['paths', found.path, method.toLowerCase(), 'responses', status]
      const response: unknown = steps.slice(1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), paths)
      if (response === undefined) return 'has a status that is not in the document'
      const content: unknown = Reflect.get(Object(response), 'content')
      if (type === '') return content === undefined ? null : 'has no body'
      if (!Object.hasOwn(Object(content), type)) return `has the type ${type}, which is not in the document`
      return type === 'text/csv' ? null : validatorAt([...steps, 'content', type, 'schema'])
    },
  }
}

/** The operation whose errors those of a path or method that does not exist look like. */
const undocumented = (sent: string): [path: string, method: string] =>
  /^\/v1\/messages(\/|$)/.test(sent) ? ['/messages', 'post'] : ['', '']

const v1 = createContract('v1', openapiDocument('http://127.0.0.1', { strictRequests: false }), '/v1')
const platform = createContract('platform', platformDocument('http://127.0.0.1'), '')

/** The command line's API has no document of its own, but its rows say as much as those of the others. */
const controlDocument = (): Document => {
  const paths: Document['paths'] = {}
  for (const [id, operation] of Object.entries({ ...controlOperations, ...serverOperations })) {
    const json = operationJson(id, operation, { refer: (schema) => schema })
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: json }
  }
  return { paths, components: { schemas: { Error: errorSchema.json } } }
}
const control = createContract('control', controlDocument(), '')

/** The playground's answers have the same form as the API's. */
const playground = '/platform/playground/chat/completions'

/** A description of the error; nothing for paths in no API. */
export const validateBody = (seen: SeenBody): string[] => {
  const contract = contractOf(seen)
  if (contract === null) return []
  if (seen.target === playground) return errorsOf({ ...seen, target: '/v1/chat/completions' }, v1)
  return errorsOf(seen, contract)
}

const contractOf = ({ target }: SeenBody): typeof v1 | null => {
  if (target.startsWith('/v1/')) return v1
  if (target.startsWith('/platform/')) return platform
  return target.startsWith('/control/') ? control : null
}

const errorsOf = (seen: SeenBody, contract: typeof v1): string[] => {
  const name = `${seen.method} ${seen.target} ${seen.status}`
  const validate = contract.find(seen)
  if (typeof validate === 'string') return [`${name} ${validate}`]
  if (validate === null) return []
  return valuesOf(seen).flatMap((json) =>
    validate(JSON.parse(json)) ? [] : [`${name}: ${contract.errorsText(validate)}: ${json.slice(0, 500)}`],
  )
}

const valuesOf = ({ body, type, encoding }: SeenBody): string[] => {
  const text = (
    encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
  ).toString()
  return type === 'text/event-stream' ? eventsOf(text) : [text]
}

const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .map((event) => event.replace(/^(?:id|event): .*\n/gm, ''))
    .filter((event) => event.startsWith('data: ') && event !== 'data: [DONE]')
    .map((event) => event.slice('data: '.length))
