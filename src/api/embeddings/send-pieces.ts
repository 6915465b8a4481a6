import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeHead } from '../../http/answer-headers.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJsonText } from '../../http/respond.ts'

/** Longer responses are not compressed: vectors hardly get smaller. */
const shortBytes = 262_144

/** Sends JSON that consists of ASCII pieces. While the pieces of a long one are joined, other requests have their turn. */
export const sendPieces = async (exchange: Exchange, pieces: readonly string[]): Promise<void> => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= shortBytes) return sendJsonText(exchange, 200, pieces.join(''))
  const bytes = Buffer.allocUnsafe(length)
  let [written, turnStart] = [0, 0]
  for (const piece of pieces) {
    written += bytes.write(piece, written, 'latin1')
    if (written - turnStart < shortBytes) continue
    turnStart = written
    await nextTurn()
  }
  const { response } = exchange
  // The client may have disconnected meanwhile, or the server may have ended the request with an error.
  if (response.destroyed || response.headersSent) return
  writeHead(exchange, 200, { 'content-type': 'application/json', 'content-length': length })
  response.end(bytes)
}
