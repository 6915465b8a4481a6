import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { LedgerRow } from '../../src/store/ledger-contract.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')

/** Every token, and how many are completely emitted when the engine has reached the next one. */
const steps: [token: string | Uint8Array, emitted: number][] = [
  // The blank at its end waits: in front of a call it would be dropped.
  ['Hello ', 0],
  // Half of 日: nothing is sent.
  [bytes('e697'), 0],
  // Its other half, and what may become the stop sequence.
  [Buffer.concat([bytes('a5'), Buffer.from('EN')]), 2],
  ['G', 4],
  // Half of 👩, then the rest.
  [bytes('f09f'), 4],
  [bytes('91a9'), 6],
  ['\n<tool_call>', 6],
  // The name is sent; the white space after it is dropped, but only with what follows.
  ['{"name": "look", "arguments": ', 7],
  ['{"city": "東', 9],
  ['京"}', 10],
  ['}\n</tool_call>', 10],
]
const last = steps.length
const emitted = (stage: number): number => (stage < 0 ? 0 : (steps[stage]?.[1] ?? last))

/** Where the engine waits before each token, and before the end. */
type Gate = { reached: PromiseWithResolvers<void>; opened: PromiseWithResolvers<void> }
/** Of the requests that are running, by what they ask for. */
const gates = new Map<string, Gate[]>()
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    clock: createManualClock(),
    engine: { slots: 1000, model: { contextTokens: 100_000 } },
    *answer(messages) {
      const own = gates.get(messages[0]?.content ?? '') ?? []
      for (const [index, { reached, opened }] of own.entries()) {
        reached.resolve()
        yield { pause: opened.promise }
        const step = steps[index]
        if (step !== undefined) yield step[0]
      }
    },
  })
  return helix.close
})

/**
 * One answer that goes on only when it is told to. Gate 0 lets the first token out; the last gate lets the answer end. Ids
 * and times are of the same length in every answer, so that a byte has the same place in all of them.
 */
const ask = async (name: string, maxTokens: number) => {
  const own = Array.from({ length: last + 1 }, () => ({
    reached: Promise.withResolvers<void>(),
    opened: Promise.withResolvers<void>(),
  }))
  gates.set(name, own)
  const { hostname, port } = new URL(helix.url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = 0
  let end = ''
  let wake = (): void => {}
  socket.on('data', (chunk) => {
    received += chunk.length
    end = (end + chunk.toString('latin1')).slice(-5)
    wake()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const tools = [{ type: 'function', function: { name: 'look' } }]
  const body = { stream: true, stop: 'END', max_tokens: maxTokens, tools }
  socket.write(rawRequests(helix).postBody(name, body))
  return {
    socket,
    received: () => received,
    open: (gate: number) => own[gate]?.opened.resolve(),
    reached: (gate: number) => own[gate]?.reached.promise,
    async until(isThere: (received: number, end: string) => boolean): Promise<void> {
      while (!isThere(received, end))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}
const atLeast =
  (length = 0) =>
  (received: number): boolean =>
    received >= length

/** Whatever the server has written before is in the client's hands afterwards. */
const roundTrips = async (): Promise<void> => {
  for (let trip = 0; trip < 3; trip += 1) await (await fetch(`${helix.url}/healthz`)).text()
}

/** How many bytes the server has written when the engine has come to each of its steps. */
const measure = async (): Promise<number[]> => {
  const answer = await ask('measure', 999)
  const lengths: number[] = []
  for (let gate = 0; gate <= last; gate += 1) {
    answer.open(gate)
    if (gate < last) await answer.reached(gate + 1)
    else await answer.until((_, end) => end === '0\r\n\r\n')
    await roundTrips()
    lengths.push(answer.received())
  }
  answer.socket.destroy()
  return lengths
}

/** Reads that many bytes and disconnects. The answer has gone no further than it had to for these bytes. */
const cutAfter = async (length: number, lengths: readonly number[]): Promise<number> => {
  const answer = await ask(`cut ${String(length).padStart(5)}`, 1000 + length)
  const stage = length === 0 ? -1 : lengths.findIndex((written) => written >= length)
  await answer.reached(0)
  for (let gate = 0; gate <= stage; gate += 1) {
    answer.open(gate)
    if (gate < stage) await answer.until(atLeast(lengths[gate]))
  }
  await answer.until(atLeast(length))
  answer.socket.destroy()
  return stage
}

/** With `ABORT_GRID=full`, as in `.ci/run`, every byte; otherwise those around the end of each step, and every eighth between them. */
const isCut = (length: number, lengths: readonly number[]): boolean =>
  process.env.ABORT_GRID === 'full' ||
  length % 8 === 0 ||
  [0, ...lengths].some((written) => Math.abs(written - length) <= 2)

const minutes = { timeout: 180_000 }
test('wherever a stream is cut, the ledger has the tokens whose last byte was sent', minutes, async () => {
  const lengths = await measure()
  const whole = lengths.at(-1) ?? 0
  expect(new Set(lengths).size).toBeGreaterThan(7)
  const stages = new Map<number, number>()
  const cuts = Array.from({ length: whole + 1 }, (_, length) => length).filter((length) => isCut(length, lengths))
  const work = async (): Promise<void> => {
    for (let length = cuts.pop(); length !== undefined; length = cuts.pop())
      stages.set(length, await cutAfter(length, lengths))
  }
  await Promise.all(Array.from({ length: 400 }, work))
  const rows = new Map<number, LedgerRow>()
  for (const row of await readLedger(helix)) rows.set(row.reservedTokens, row)
  // Each row but that of the measured answer; the prompt is one token and a quarter of its length.
  const promptTokens = 1 + Math.ceil('cut 00000'.length / 4)
  expect(rows.size).toBe(stages.size + 1)
  for (const [length, stage] of stages) {
    const settlement = rows.get(promptTokens + 1000 + length)?.settlement
    const expected =
      stage === last
        ? { outcome: 'completed', finishReason: 'tool_calls', promptTokens, completionTokens: last }
        : {
            outcome: 'client_closed',
            finishReason: null,
            promptTokens: stage < 0 ? 0 : promptTokens,
            completionTokens: emitted(stage),
          }
    expect(settlement, `cut after byte ${length} of ${whole}, in step ${stage}`).toMatchObject(expected)
  }
})
