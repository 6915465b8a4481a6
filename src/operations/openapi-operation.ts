import type { JsonSchema } from '../http/schema/schema.ts'
import { failures, failuresAs, pathParameters, queryParameters, reference } from './openapi-parts.ts'
import type { Operation, OperationHeader } from './operation.ts'

type DocumentOptions = {
  /** The schema in the document: a reference to a component if it has a name. */
  refer(json: JsonSchema): JsonSchema
  /** The part of the API that the operation belongs to, if the document has parts. */
  tag?: string
}

/** An operation as both OpenAPI documents describe it. */
export const operationJson = (id: string, operation: Operation, { refer, tag }: DocumentOptions): JsonSchema => {
  const { path, access, summary, headers = [], query, body, error } = operation
  return {
    operationId: id,
    ...(tag === undefined ? {} : { tags: [tag] }),
    summary,
    ...(access.role === undefined ? {} : { description: `Requires the role ${access.role} or a higher one.` }),
    ...(access.access === 'owner' ? { description: 'Only for the owner of the server.' } : {}),
    ...(access.access === 'anyone' || access.access === 'visitor' ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...headers.map(headerParameter), ...queryParameters(query?.json)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: refer(body.json) } } } }),
    responses: {
      ...success(operation, refer),
      ...(error === undefined ? failures : failuresAs(schemaTitle(error.json))),
    },
  }
}

/** The name that `named` gave a schema. */
export const schemaTitle = ({ title }: JsonSchema): string => String(title)

const headerParameter = ({ name, description, json }: OperationHeader): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: json,
})

const success = (
  { answer, otherAnswer, status = 200, event, content }: Operation,
  refer: DocumentOptions['refer'],
): JsonSchema => {
  if (answer === undefined && content === undefined) return { 204: { description: 'Done.' } }
  const answers = [answer, otherAnswer].flatMap((each) => (each === undefined ? [] : [refer(each.json)]))
  const written = Object.entries(content ?? {}).map(([type, json]) => [type, { schema: orError(type, refer(json)) }])
  const types = {
    ...(answers.length === 0 ? {} : { 'application/json': { schema: anyOf(answers) } }),
    ...(event === undefined ? {} : { 'text/event-stream': { schema: refer(event.json) } }),
    ...Object.fromEntries(written),
  }
  return { [status]: { description: 'Successful response.', content: types } }
}

const anyOf = (answers: readonly JsonSchema[]): JsonSchema =>
  answers.length === 1 ? { ...answers[0] } : { anyOf: answers }

/** A stream that fails midway ends with an error as its last event. */
const orError = (type: string, schema: JsonSchema): JsonSchema =>
  type === 'text/event-stream' ? { anyOf: [schema, reference('Error')] } : schema
