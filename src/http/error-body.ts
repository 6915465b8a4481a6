import type { ApiError } from '../base/api-error.ts'

/** A message may repeat input that is cut or malformed; strict parsers refuse a lone surrogate. */
export const errorBody = (error: ApiError): { error: Record<string, string | null> } => ({
  error: {
    message: error.message.toWellFormed(),
    type: error.type,
    param: error.options.param?.toWellFormed() ?? null,
    code: error.code,
  },
})
