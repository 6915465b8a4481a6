import { ApiError } from '../../../base/api-error.ts'
import type { CompileRefusal } from './grammar-source.ts'

/** The error for a source that cannot be compiled. */
export const refusalError = (refusal: CompileRefusal, cpuMs = 0): ApiError => {
  const { param, reason } = refusal
  const options = { param, cpuMs }
  switch (refusal.error) {
    case 'invalid_function_parameters':
      return ApiError.of('invalid_function_parameters', { name: refusal.name, reason }, options)
    case 'invalid_schema':
      return ApiError.of('invalid_schema', { place: refusal.place, reason }, options)
    case 'refused_value':
      return ApiError.of('refused_value', { path: param, reason }, options)
  }
}
