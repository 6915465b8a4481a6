import { ApiError } from '../base/errors.ts'
import { networkOf } from '../base/network-of.ts'
import type { BodyClaim } from './body-budget.ts'
import type { Exchange } from './exchange.ts'

/**
 * The bytes of a body, within its limit and within the memory for all bodies. They are copied into one buffer as they arrive:
 * pieces kept as they came would cost a body sent byte by byte hundreds of times its length, and what a socket was read into
 * goes back to the system only when something else happens to need memory.
 */
export const readBody = async (exchange: Exchange, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const { request } = exchange
  const declared = request.headers['content-length']
  const declaredBytes = declared === undefined ? null : Number(declared)
  if (declaredBytes !== null && declaredBytes > limitBytes) throw ApiError.of('request_too_large', { limitBytes })
  const claim = exchange.bodies.open(partiesOf(exchange))
  claim.check(declaredBytes ?? 0)
  exchange.releaseBody = claim.release
  if (exchange.expectsContinue) sendContinue(exchange)
  const bytes = createGrowingBytes(claim, declaredBytes ?? limitBytes)
  try {
    await readInto(exchange, bytes, limitBytes)
    return bytes.end()
  } catch (error) {
    bytes.free()
    claim.release()
    throw error
  }
}

/** Keys of an organisation share: another one costs nothing to create. */
const partiesOf = ({ origin, facts }: Exchange): string[] => {
  const address = `address ${networkOf(origin.clientAddress)}`
  return typeof facts.organisationId === 'string' ? [address, facts.organisationId] : [address]
}

const sendContinue = (exchange: Exchange): void => {
  exchange.expectsContinue = false
  exchange.response.writeContinue()
}

/** At once: in an idle process nothing calls the collector, and the memory would stay taken for as long. */
export const freeBytes = ({ buffer }: Uint8Array<ArrayBuffer>): void => {
  // It may have gone to another thread meanwhile.
  if (!buffer.detached) buffer.transfer(0)
}

type GrowingBytes = ReturnType<typeof createGrowingBytes>

/** One buffer that grows by doubling, up to the length that can come; what it outgrows is freed at once. */
const createGrowingBytes = (claim: BodyClaim, mostBytes: number) => {
  let buffer = new ArrayBuffer(0)
  let size = 0
  return {
    get size() {
      return size
    },
    add(chunk: Uint8Array) {
      const needed = size + chunk.length
      if (needed > buffer.byteLength) {
        const capacity = Math.max(needed, Math.min(mostBytes, buffer.byteLength * 2))
        claim.hold(capacity)
        buffer = buffer.transfer(capacity)
      }
      new Uint8Array(buffer).set(chunk, size)
      size = needed
    },
    end: () => new Uint8Array(buffer, 0, size),
    free: () => freeBytes(new Uint8Array(buffer)),
  }
}

const readInto = ({ request, signal }: Exchange, bytes: GrowingBytes, limitBytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      try {
        if (bytes.size + chunk.length > limitBytes) throw ApiError.of('request_too_large', { limitBytes })
        bytes.add(chunk)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const onEnd = (): void => settle(resolve)
    const onAbort = (): void => settle(() => reject(signal.reason))
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    request.on('data', onData).on('end', onEnd)
  })
