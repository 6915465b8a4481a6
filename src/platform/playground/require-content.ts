import { ApiError } from '../../base/api-error.ts'
import { contentLimitBytes } from '../../store/playground-contract.ts'

/** In bytes, because that is what is stored. */
export const requireContent = (content: string): string => {
  if (Buffer.byteLength(content) <= contentLimitBytes) return content
  const reason = `is too large: at most ${contentLimitBytes} bytes can be stored`
  throw ApiError.of('refused_value', { path: 'content', reason }, { param: 'content' })
}
