import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import {
  chunkBytes,
  chunksEach,
  type OpenWriter,
  openBareWriter,
  openOurWriter,
  openOurWriterWithJson,
  type StreamWriter,
} from './stream-writers.ts'

/**
 * CPU per chunk of our SSE writer in this process, against `response.write` of the same bytes. Both sides use prebuilt
 * chunks; the additional cost of their JSON is a separate figure. As with a model's tokens, every stream gets one chunk
 * per turn of the event loop. The reader is another process.
 */
const streams = 64
const rounds = 11
const limitMs = 180_000

const signal = AbortSignal.timeout(limitMs)
const arrived: { request: IncomingMessage; response: ServerResponse }[] = []
const server = createServer((request, response) => {
  arrived.push({ request, response })
  if (arrived.length === streams) server.emit('all-arrived')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening', { signal })
const reader = fork(new URL('./stream-reader.ts', import.meta.url), { signal })
const wireBytes = new Set<unknown>()

/** CPU microseconds of this process per chunk, over one round of all streams. */
const measure = async (open: OpenWriter): Promise<number> => {
  const allArrived = once(server, 'all-arrived', { signal })
  const bytesRead = once(reader, 'message', { signal })
  reader.send({ address: server.address(), streams })
  await allArrived
  const exchanges = arrived.splice(0)
  const closed = exchanges.map(({ response }) => once(response, 'close', { signal }))
  const before = process.cpuUsage()
  await sendAll(exchanges.map(({ request, response }) => open(request, response)))
  await Promise.all(closed)
  const { user, system } = process.cpuUsage(before)
  const [bytes] = await bytesRead
  wireBytes.add(bytes)
  return (user + system) / (streams * chunksEach)
}

const sendAll = async (writers: StreamWriter[]): Promise<void> => {
  for (let index = 0; index < chunksEach; index += 1) {
    for (const writer of writers) {
      const slowReader = writer.send(index)
      if (slowReader !== undefined) await slowReader
    }
    await nextTurn()
  }
  for (const writer of writers) writer.end()
}

const turns = {
  bare: () => measure(openBareWriter),
  ours: () => measure(openOurWriter),
  oursWithJson: () => measure(openOurWriterWithJson),
}
await takeTurns(2, turns) // The first rounds include JIT compilation.
const { bare, ours, oursWithJson } = await takeTurns(rounds, turns)
reader.disconnect()
server.close()
if (wireBytes.size !== 1) throw new Error(`the writers sent different bytes: ${[...wireBytes].join(', ')}`)

const ratio = ratioSpread(ours, bare)
report({
  bench: 'stream-write',
  ratio,
  target: 'ratio <= 1.5',
  met: ratio.median <= 1.5,
  rounds,
  figures: {
    bareMicrosPerChunk: spreadOf(bare),
    oursMicrosPerChunk: spreadOf(ours),
    oursWithJsonMicrosPerChunk: spreadOf(oursWithJson),
    ratioWithJson: ratioSpread(oursWithJson, bare),
    streams,
    chunksEach,
    chunkBytes,
  },
})
