import { ApiError } from '../../base/api-error.ts'
import { parseJson } from '../../http/parse-json.ts'
import { isObject } from '../../http/schema/containers.ts'
import { Problem } from '../../http/schema/problem.ts'
import { cutText } from '../../usage/body-writer.ts'
import { readFields } from '../generation/request/read-fields.ts'
import type { InputsNeeds, InputsRequest } from './inputs-endpoint.ts'

/** Reads a body by its schema. `translate` makes the endpoint's own part of the request; it may throw a `Problem`. */
export const readInputsBody = <Body extends { model: string }, Own>(
  bytes: Uint8Array,
  needs: InputsNeeds,
  schema: (value: unknown) => Body,
  translate: (body: Body) => Own,
): InputsRequest & Own => {
  const value = parseJson(bytes)
  if (!isObject(value)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  if (value.model === undefined) throw ApiError.of('missing_model', {})
  try {
    const { value: body, ignoredFields } = readFields(needs, () => schema(value))
    const bodyCopy = needs.copy ? cutText(JSON.stringify(value)) : null
    return { ...translate(body), model: body.model, ignoredFields, bodyCopy }
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}
