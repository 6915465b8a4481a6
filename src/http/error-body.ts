import type { ApiError, ErrorLimit } from '../base/api-error.ts'

/** A message may repeat input that is cut or malformed; strict parsers refuse a lone surrogate. */
export const errorBody = (error: ApiError): { error: Record<string, unknown> } => ({
  error: {
    message: error.message.toWellFormed(),
    type: error.type,
    param: error.options.param?.toWellFormed() ?? null,
    code: error.code,
    ...(error.options.limit === undefined ? {} : { limit: errorLimitJson(error.options.limit) }),
  },
})

/** The time is in whole seconds, rounded up: at that time the request is accepted. */
export const errorLimitJson = ({ name, scope, limit, used, requested, resetsAt }: ErrorLimit) => ({
  ...{ name, scope, limit, used, requested },
  resets_at: resetsAt === null ? null : Math.ceil(resetsAt / 1000),
})
