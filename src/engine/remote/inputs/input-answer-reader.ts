/**
 * Reads answers with vectors: short ones where they arrive, long ones on a thread, because two thousand vectors of a thousand
 * numbers take as long as many tokens of other requests. Owners take turns on the thread.
 */
import type { Clock } from '../../../base/clock.ts'
import { waitForTurn } from '../../../base/take-turns.ts'
import { WorkerPool } from '../../../base/worker-pool.ts'
import type { UpstreamCall } from '../upstream-call.ts'
import { type InputAnswer, type InputAnswerForm, type InputAnswerJob, readInputAnswer } from './read-input-answer.ts'

type Reading = { form: InputAnswerForm; maxBytes: number; tenant: string; signal: AbortSignal }

export interface InputAnswerReader {
  /** Receives an answer in turns, and reads it. Null if it is longer than `maxBytes`. */
  read(call: UpstreamCall, reading: Reading): Promise<InputAnswer | null>
  close(): Promise<void>
}

/** The largest answer takes a fraction of it, even on a busy machine. */
const timeoutMs = 15_000
/** Up to this length reading takes less than a millisecond, and a thread would cost more than it saves. */
const inlineBytes = 65_536
const blockBytes = 262_144

export const openInputAnswerReader = ({ clock }: { clock: Clock }): InputAnswerReader => {
  const pool = new WorkerPool<InputAnswerJob, InputAnswer>({
    file: new URL('./input-answer-thread.ts', import.meta.url),
    name: 'read-vectors',
    timeoutMs,
    // The longest answer is 64 MB: as text, and as numbers of eight bytes.
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 },
    clock,
  })
  return {
    async read(call, { form, maxBytes, tenant, signal }) {
      const received = await receive(call, maxBytes, tenant)
      if (received === null) return null
      const { blocks, length } = received
      if (length <= inlineBytes) return readInputAnswer(Buffer.concat(blocks), form)
      return pool.run({ blocks, form }, { tenant, signal, transfer: blocks.map(({ buffer }) => buffer) })
    },
    close: () => pool.close(),
  }
}

type Received = { blocks: Uint8Array<ArrayBuffer>[]; length: number }

/** Stops at the first part that exceeds the limit. */
const receive = async (call: UpstreamCall, maxBytes: number, tenant: string): Promise<Received | null> => {
  const body = createBlocks()
  for (let sinceTurn = 0; body.length() <= maxBytes; ) {
    const parts = call.takeParts()
    if (parts === null) return { blocks: body.blocks(), length: body.length() }
    if (parts === undefined) {
      await call.changed()
      continue
    }
    for (const part of parts) {
      sinceTurn += part.length
      body.add(part)
    }
    if (sinceTurn < inlineBytes) continue
    sinceTurn = 0
    await new Promise<void>((resolve) => waitForTurn(tenant, resolve))
  }
  return null
}

/** What is added is copied: the HTTP client may read its memory again, and only memory of its own can be passed to another thread. */
const createBlocks = () => {
  const full: Uint8Array<ArrayBuffer>[] = []
  let block = new Uint8Array()
  let used = 0
  let length = 0
  return {
    length: () => length,
    add(bytes: Uint8Array): void {
      length += bytes.length
      for (let rest = bytes; rest.length > 0; ) {
        if (used === block.length) {
          if (used > 0) full.push(block)
          block = new Uint8Array(length <= inlineBytes ? rest.length : blockBytes)
          used = 0
        }
        const piece = rest.subarray(0, block.length - used)
        block.set(piece, used)
        used += piece.length
        rest = rest.subarray(piece.length)
      }
    },
    /** A view of less than a block would be cloned with all of it. */
    blocks: (): Uint8Array<ArrayBuffer>[] => [...full, block.subarray(0, used)],
  }
}
