import { ApiError } from '../../../base/api-error.ts'
import type { InputRefusal } from './tokenise-inputs.ts'

/** The error for inputs that the model cannot embed. */
export const refusedInput = (
  refusal: InputRefusal,
  { contextTokens, inputs, name }: { contextTokens: number; inputs: number; name: string },
): ApiError => {
  if (refusal.reason === 'too_many_tokens')
    return ApiError.of('too_many_input_tokens', { limit: refusal.limit }, { param: name })
  const path = inputs === 1 ? name : `${name}[${refusal.index}]`
  switch (refusal.reason) {
    case 'too_long': {
      const tokens = refusal.isComplete ? refusal.tokens : `more than ${contextTokens}`
      return ApiError.of('input_too_long', { path, contextTokens, tokens }, { param: path })
    }
    case 'empty':
      return ApiError.of('input_without_tokens', { path }, { param: path })
    case 'query_too_long':
      throw new Error('only pairs have a query')
    case 'unknown_token':
      return ApiError.of('unknown_input_token', { path, id: refusal.token }, { param: path })
  }
}
