import { ApiError } from '../base/api-error.ts'
import { toNetwork } from '../base/to-network.ts'
import type { BodyClaim, BodySharer } from './body-budget.ts'
import type { Exchange } from './exchange.ts'
import { readChunks } from './read-chunks.ts'

/** A body as it was read: in one block, or in several if it is long. */
export type BodyBlocks = Uint8Array<ArrayBuffer>[]

/**
 * Sees a long body part by part while it arrives, and throws if the body will be refused, so that the rest is not kept.
 * `readShare` is the fraction read so far, at most 1. Returns false if it need not see more.
 */
export type CheckPart = (part: Uint8Array, readShare: number) => boolean

/**
 * Reads a body within its limit and within the memory for all bodies. Chunks are copied into blocks as they arrive: kept as
 * they are, a body sent byte by byte would take hundreds of times its length, and a socket's buffers are returned to the
 * system only when something else needs memory.
 */
export const readBody = async (
  exchange: Exchange,
  limitBytes: number,
  checkPart: CheckPart = () => false,
): Promise<BodyBlocks> => {
  const { request } = exchange
  const declared = request.headers['content-length']
  const declaredBytes = declared === undefined ? null : Number(declared)
  if (declaredBytes !== null && declaredBytes > limitBytes) throw ApiError.of('request_too_large', { limitBytes })
  const claim = exchange.bodies.open(listSharers(exchange))
  claim.check(declaredBytes ?? 0)
  exchange.releaseBody = claim.release
  if (exchange.expectsContinue) sendContinue(exchange)
  const body = createGrowingBody(claim, declaredBytes ?? limitBytes, checkPart)
  try {
    await readInto(exchange, body, limitBytes)
    exchange.cpuMs += socketMs(body.size())
    return body.end()
  } catch (error) {
    // What is not kept is read too, to be discarded.
    exchange.cpuMs += socketMs(Math.max(body.size(), declaredBytes ?? 0))
    body.end().forEach(freeBytes)
    claim.release()
    throw error
  }
}

/** Roughly the main thread's CPU time for reading this many bytes from a socket. */
const socketMs = (bytes: number): number => bytes / 1e6

/** All keys of all organisations of an owner share one budget, because creating another costs nothing. */
const listSharers = ({ origin, caller }: Exchange): BodySharer[] => {
  const address: BodySharer = { scope: 'address', id: toNetwork(origin.clientAddress) }
  return caller === null ? [address] : [address, { scope: 'owner', id: caller.ownerId }]
}

const sendContinue = (exchange: Exchange): void => {
  exchange.expectsContinue = false
  exchange.response.writeContinue()
}

/** Immediately: in an idle process no garbage collection runs, and the memory would stay allocated. */
export const freeBytes = ({ buffer }: Uint8Array<ArrayBuffer>): void => {
  // It may have been transferred to another thread.
  if (!buffer.detached) buffer.transfer(0)
}

/** The body as one block; a long one is copied. */
export const joinBlocks = (blocks: BodyBlocks): Uint8Array<ArrayBuffer> => {
  const [first = new Uint8Array(), ...others] = blocks
  if (others.length === 0) return first
  const joined = new Uint8Array(bodyLength(blocks))
  let at = 0
  for (const block of blocks) {
    joined.set(block, at)
    at += block.length
  }
  return joined
}

export const bodyLength = (blocks: BodyBlocks): number => blocks.reduce((sum, { length }) => sum + length, 0)

type GrowingBody = ReturnType<typeof createGrowingBody>

/** Most bodies fit the first block. Later blocks are larger, so that not much more is allocated than has arrived. */
const firstBlockBytes = 65_536
const blockBytes = 262_144

const createGrowingBody = (claim: BodyClaim, maxBytes: number, checkPart: CheckPart) => {
  const full: BodyBlocks = []
  let block = new Uint8Array()
  let used = 0
  let size = 0
  let allocated = 0
  let wantsMore = true

  const grow = (atLeast: number): void => {
    if (block.length > 0) {
      if (wantsMore) wantsMore = checkPart(block, size / maxBytes)
      full.push(block)
    }
    const usual = Math.min(allocated === 0 ? firstBlockBytes : blockBytes, maxBytes - allocated)
    const bytes = Math.max(usual, Math.min(atLeast, blockBytes))
    claim.resize(allocated + bytes)
    allocated += bytes
    block = new Uint8Array(bytes)
    used = 0
  }
  return {
    size: () => size,
    add(chunk: Uint8Array) {
      for (let rest = chunk; rest.length > 0; ) {
        if (used === block.length) grow(rest.length)
        const piece = rest.subarray(0, block.length - used)
        block.set(piece, used)
        used += piece.length
        size += piece.length
        rest = rest.subarray(piece.length)
      }
    },
    end: (): BodyBlocks => [...full, block.subarray(0, used)],
  }
}

const readInto = (exchange: Exchange, body: GrowingBody, limitBytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { request, signal } = exchange
    const onData = (chunk: Buffer): void => {
      try {
        if (body.size() + chunk.length > limitBytes) throw ApiError.of('request_too_large', { limitBytes })
        body.add(chunk)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const onEnd = (): void => settle(resolve)
    const onAbort = (): void => settle(() => reject(signal.reason))
    const settle = (finish: () => void): void => {
      stop()
      request.off('end', onEnd)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    if (signal.aborted) return reject(signal.reason)
    const stop = readChunks(exchange, onData)
    request.on('end', onEnd)
    signal.addEventListener('abort', onAbort)
  })
