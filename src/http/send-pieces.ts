import { freeBuffer } from '../base/free-buffer.ts'
import { waitForTurn } from '../base/take-turns.ts'
import { toNetwork } from '../base/to-network.ts'
import { writeHead } from './answer-headers.ts'
import type { Exchange } from './exchange.ts'
import { sendJsonText } from './respond.ts'

/** Longer responses are not compressed: numbers hardly get smaller. */
const shortLength = 262_144
/** How much of a long response is written in one turn. */
const sliceBytes = 262_144

/** Sends JSON that comes in pieces: a long one in turns with what other callers do. */
export const sendPieces = (exchange: Exchange, pieces: readonly (string | Uint8Array)[]): Promise<void> | void => {
  const blocks = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
  const length = blocks.reduce((sum, block) => sum + block.length, 0)
  return length <= shortLength
    ? sendJsonText(exchange, 200, Buffer.concat(blocks).toString())
    : sendLong(exchange, blocks, length)
}

const sendLong = async (exchange: Exchange, blocks: readonly Uint8Array[], length: number): Promise<void> => {
  const { response, caller, origin } = exchange
  const tenant = caller?.ownerId ?? toNetwork(origin.clientAddress)
  writeHead(exchange, 200, { 'content-type': 'application/json', 'content-length': length })
  for (const block of blocks)
    for (let at = 0; at < block.length; at += sliceBytes) {
      // The client may disconnect meanwhile, or the server may end the request with an error.
      if (response.destroyed) return
      const isLast = at + sliceBytes >= block.length
      response.write(block.subarray(at, at + sliceBytes), isLast ? () => freeBuffer(block) : undefined)
      await new Promise<void>((resolve) => waitForTurn(tenant, resolve))
    }
  response.end()
}
