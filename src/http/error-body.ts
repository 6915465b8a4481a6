import type { ApiError, ErrorLimit } from '../base/api-error.ts'

/** A message may repeat input that is cut or malformed; strict parsers refuse a lone surrogate. */
export const errorBody = (error: ApiError): { error: Record<string, unknown> } => ({
  error: {
    message: error.message.toWellFormed(),
    type: error.type,
    param: error.options.param?.toWellFormed() ?? null,
    code: error.code,
    ...(error.options.limit === undefined ? {} : { limit: limitJson(error.options.limit) }),
  },
})

const limitJson = ({ resetsAt, ...limit }: ErrorLimit) => ({
  ...limit,
  resets: resetsAt === null ? null : new Date(resetsAt).toISOString(),
})
