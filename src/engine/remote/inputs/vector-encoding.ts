import { ApiError } from '../../../base/api-error.ts'

/** Further fields of a request. */
type Fields = Readonly<Record<string, string>>

/**
 * Asks an upstream for vectors in Base64, which takes a third of the bytes of numbers. One that refuses is asked again without
 * the field, and never with it from then on. One that ignores the field sends numbers, which are read as well.
 */
export const createVectorEncoding = () => {
  let accepts: boolean | null = null
  return async <Answer>(ask: (fields: Fields) => Promise<Answer>): Promise<Answer> => {
    if (accepts === false) return ask({})
    try {
      const answer = await ask({ encoding_format: 'base64' })
      accepts = true
      return answer
    } catch (error) {
      if (accepts === true || !isRefused(error)) throw error
      // The request may have been refused for anything else, which it is again.
      const answer = await ask({})
      accepts = false
      return answer
    }
  }
}

export type AskEncoded = ReturnType<typeof createVectorEncoding>

const isRefused = (error: unknown): boolean => error instanceof ApiError && error.errorName === 'upstream_refused'
