import type { Readable } from 'node:stream'
import { waitForTurn } from '../../base/take-turns.ts'
import type { LongBody } from './write-in-turns.ts'

/** The body of one request on its way to an upstream. */
export interface Sending {
  readonly headers: readonly string[]
  /** What undici sends; from the beginning again if a request has to be repeated. */
  begin(): string | Readable
  /** Everything was handed to the connection. */
  isComplete(): boolean
}

/** As much as is read of a long body in one turn. */
const sliceBytes = 65_536

/** A long body is sent in slices, each in a turn of its own: four megabytes at once take the time of many tokens of others. */
export const openSending = (body: string | LongBody, tenant: string): Sending => {
  if (typeof body === 'string') return { headers: [], begin: () => body, isComplete: () => true }
  let isComplete = false
  async function* slices(parts: LongBody): AsyncGenerator<Uint8Array, void> {
    isComplete = false
    let turnBytes = 0
    for (const part of parts)
      for (let at = 0; at < part.length; at += sliceBytes) {
        const slice = part.subarray(at, at + sliceBytes)
        turnBytes += slice.length
        if (turnBytes > sliceBytes) {
          await new Promise<void>((resolve) => waitForTurn(tenant, resolve))
          turnBytes = slice.length
        }
        yield slice
      }
    isComplete = true
  }
  const bytes = body.reduce((sum, { length }) => sum + length, 0)
  return {
    headers: ['content-length', String(bytes)],
    begin: () => asBody(slices(body)),
    isComplete: () => isComplete,
  }
}

/** Sound because undici accepts any async iterable as a body. Only its types do not say so. */
const asBody = (slices: AsyncIterable<Uint8Array>): Readable => slices as Readable
