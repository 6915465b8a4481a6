import type { Exchange } from '../../http/exchange.ts'

/** As long as no headers were sent. */
export const setHeaders = ({ response }: Exchange, headers: Readonly<Record<string, string>>): void => {
  if (response.headersSent) return
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
