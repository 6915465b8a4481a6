import { freeBuffer } from '../base/free-buffer.ts'
import { waitForTurn } from '../base/take-turns.ts'
import { toNetwork } from '../base/to-network.ts'
import type { Exchange } from './exchange.ts'

/** Node reads up to two megabytes from a socket before it looks at any other. After this much, the others come first. */
const sliceBytes = 65_536

/**
 * Passes on the chunks of a body, and frees each of them afterwards. The returned function stops it.
 */
export const readChunks = (exchange: Exchange, onChunk: (chunk: Buffer) => void): (() => void) => {
  const { request, caller, origin } = exchange
  const tenant = caller?.ownerId ?? toNetwork(origin.clientAddress)
  let sinceBreak = 0
  const onData = (chunk: Buffer): void => {
    sinceBreak += chunk.length
    onChunk(chunk)
    freeBuffer(chunk)
    if (sinceBreak < sliceBytes) return
    sinceBreak = 0
    request.pause()
    waitForTurn(tenant, () => request.resume())
  }
  request.on('data', onData)
  return () => void request.off('data', onData)
}
