import type { Exchange } from '../../http/exchange.ts'

/** Rate-limit headers, in the style of the route, as long as no headers were sent. */
export const setLimitHeaders = ({ response, style }: Exchange, headers: Readonly<Record<string, string>>): void => {
  if (response.headersSent) return
  for (const [name, value] of Object.entries(style.limitHeaders?.(headers) ?? headers)) response.setHeader(name, value)
}
