import { errorCatalogue } from '../base/error-catalogue.ts'
import { nullable, object, optional } from '../http/schema/containers.ts'
import { integer, oneOf, string } from '../http/schema/scalars.ts'
import { described, type JsonSchema } from '../http/schema/schema.ts'
import { limitWireNames } from '../store/limit-names.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** In errors of rate limits and budgets, with the names of `GET /v1/key`. */
export const errorLimitSchema = object({
  name: described(
    'Values of those that end in `_micros` are in millionths of the currency.',
    oneOf(...Object.values(limitWireNames), 'refused_requests_per_minute', 'body_bytes_in_flight'),
  ),
  scope: described(
    'Scope of the limit. The organisations of one owner share the memory for request bodies, and so do the clients of one network address.',
    oneOf('key', 'organisation', 'server', 'owner', 'address'),
  ),
  limit: count,
  used: described('Includes the amount reserved for running requests.', count),
  requested: count,
  resets_at: described(
    'Unix time in seconds: when the request would be accepted. Null if the request exceeds the limit itself, or if that depends on when running requests finish.',
    nullable(count),
  ),
})

/** What the OpenAPI documents of `/v1` and `/platform` have in common. */
export const errorSchema = object({
  error: object({
    message: string(),
    type: string(),
    param: nullable(string()),
    code: nullable(string()),
    limit: optional(errorLimitSchema),
  }),
})

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

/** A query is an object of strings; a nested object is written `metadata[key]=value`. */
export const queryParameters = (query: JsonSchema | undefined): JsonSchema[] => {
  const properties = query?.properties ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
  }))
}

/** In the `responses` of every operation. */
export const failures = {
  '4XX': { $ref: '#/components/responses/Refused' },
  '5XX': { $ref: '#/components/responses/Failed' },
}

/** The same with errors in another form. */
export const failuresAs = (name: string): Record<string, JsonSchema> => {
  const content = { 'application/json': { schema: reference(name) } }
  return {
    '4XX': { description: 'The request is invalid or not allowed.', content },
    '5XX': { description: 'The server could not complete the request. Try again.', content },
  }
}

/** Under `components`: what `failures` refers to. */
export const errorResponses = (): Record<string, JsonSchema> => {
  const content = { 'application/json': { schema: reference('Error') } }
  const statuses = (isOurs: boolean) =>
    [...new Set(Object.values(errorCatalogue).map(({ status }) => status))]
      .filter((status) => status >= 500 === isOurs)
      .sort((a, b) => a - b)
      .join(', ')
  return {
    Refused: { description: `The request is invalid or not allowed (${statuses(false)}).`, content },
    Failed: { description: `The server could not complete the request (${statuses(true)}). Try again.`, content },
  }
}
