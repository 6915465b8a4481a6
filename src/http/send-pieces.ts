import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeHead } from './answer-headers.ts'
import type { Exchange } from './exchange.ts'
import { sendJsonText } from './respond.ts'

/** Longer responses are not compressed: numbers hardly get smaller. */
const shortLength = 262_144

/** Sends JSON that comes in pieces. While those of a long one are joined, other requests have their turn. */
export const sendPieces = (exchange: Exchange, pieces: readonly string[]): Promise<void> | void => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length <= shortLength ? sendJsonText(exchange, 200, pieces.join('')) : sendLong(exchange, pieces)
}

const sendLong = async (exchange: Exchange, pieces: readonly string[]): Promise<void> => {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let [written, turnStart] = [0, 0]
  for (const piece of pieces) {
    written += bytes.write(piece, written)
    if (written - turnStart < shortLength) continue
    turnStart = written
    await nextTurn()
  }
  const { response } = exchange
  // The client may have disconnected meanwhile, or the server may have ended the request with an error.
  if (response.destroyed || response.headersSent) return
  writeHead(exchange, 200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}
