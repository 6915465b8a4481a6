import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapiDocument } from '../../src/api/openapi/document.ts'
import { operations } from '../../src/api/openapi/operations.ts'

/** What was sent as one write: a whole JSON body, or events of a stream. */
export type SeenBody = { method: string; target: string; status: number; text: string; isStream: boolean }

const document = openapiDocument('http://127.0.0.1')
const ajv = new Ajv2020({ strict: false, allErrors: false })
ajv.addSchema({ $id: 'openapi', components: document.components })
const known = new Map<string, ValidateFunction>()
const schemaOf = (name: string): ValidateFunction => {
  const validate = known.get(name) ?? ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
  known.set(name, validate)
  return validate
}

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
}))

/** What is wrong with it, in words; nothing for routes that the document does not have. */
export const validateBody = (body: SeenBody): string[] => {
  if (body.text === '' || !body.target.startsWith('/v1/')) return []
  return body.isStream
    ? eventsOf(body.text).flatMap((event) => errorsOf(body, event, 'event'))
    : errorsOf(body, body.text, 'answer')
}

const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .map((event) => event.replace(/^id: .*\n/, ''))
    .filter((event) => event.startsWith('data: ') && event !== 'data: [DONE]')
    .map((event) => event.slice('data: '.length))

const errorsOf = (body: SeenBody, json: string, kind: 'answer' | 'event'): string[] => {
  const name = body.status >= 400 ? 'Error' : schemaName(body, kind)
  if (name === undefined) return []
  const validate = schemaOf(name)
  if (validate(JSON.parse(json))) return []
  return [
    `${body.method} ${body.target} ${body.status}, as ${name}: ${ajv.errorsText(validate.errors)}: ${json.slice(0, 500)}`,
  ]
}

const schemaName = ({ method, target }: SeenBody, kind: 'answer' | 'event'): string | undefined => {
  const [path = ''] = target.split('?')
  const found = patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
  return found?.operation[kind]?.name
}
