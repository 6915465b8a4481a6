import { randomFillSync } from 'node:crypto'

/** System calls dominate the cost, so random bytes are read in batches. */
const lot = Buffer.alloc(4096)
let taken = lot.length

const randomHex = (bytes: number): string => {
  if (taken + bytes > lot.length) {
    randomFillSync(lot)
    taken = 0
  }
  const hex = lot.toString('hex', taken, taken + bytes)
  taken += bytes
  // All zeros mean that there is no id. The chance is one in 2^64.
  return /^0+$/.test(hex) ? randomHex(bytes) : hex
}

export const newTraceId = (): string => randomHex(16)
export const newSpanId = (): string => randomHex(8)

/** 48 random bits, as a number below one. */
const sampledDigits = 12

/** Decided by the id, so that all servers that see a trace decide alike. */
export const isInSample = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-sampledDigits), 16) / 16 ** sampledDigits < ratio
