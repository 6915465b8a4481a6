import { once } from 'node:events'
import { writeHead } from './answer-headers.ts'
import type { Exchange } from './exchange.ts'

/** Sends a file whose lines are generated on the fly: however long it is, little of it is in memory. */
export const sendCsv = async (exchange: Exchange, fileName: string, lines: AsyncIterable<string>): Promise<void> => {
  const { response, signal } = exchange
  writeHead(exchange, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  })
  for await (const line of lines) {
    if (signal.aborted) return
    if (!response.write(line)) await once(response, 'drain', { signal })
  }
  response.end()
}
