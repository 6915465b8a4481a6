import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { startHelix } from '../harness/start-helix.ts'

const timeouts = { headersTimeoutMs: 200, bodyTimeoutMs: 200, idleTimeoutMs: 200 }
const [requestLine, rest] = ['GET /healthz HTTP/1.1\r\n', 'host: x\r\n\r\n']

/** As between SIGSTOP and SIGCONT: nothing of this process runs for longer than every timeout, and then all of them are due. */
const standStill = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)

/** Connections are accepted, and what was sent is read. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate()
}

test('requests that arrived while the process stood still are answered, not cut', async () => {
  const helix = await startHelix({ config: timeouts })
  const open = () => openRawConnection(helix.url)
  const whole = await Promise.all([open(), open(), open()])
  const [begun, again, unfinished] = [await open(), await open(), await open()]
  again.send(requestLine + rest)
  expect((await again.answer()).status).toBe(200)
  begun.send(requestLine)
  unfinished.send(requestLine)
  await turns()
  for (const connection of [...whole, again]) connection.send(requestLine + rest)
  begun.send(rest)
  standStill()
  for (const connection of [...whole, begun, again]) expect((await connection.answer()).status).toBe(200)
  expect((await unfinished.answer()).status).toBe(408)
})
