import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, renameSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

type Line = { id: number; time: string; action: string; actor: { kind: string }; target: { name: string } }

const linesOf = (file: string): Line[] => {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** Lets passes run until it is true. */
const passUntil = async (clock: ManualClock, isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) {
    clock.advance(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const addKey = (helix: Helix, name: string) => helix.control('POST', '/control/keys', { name })

test('audit events are appended to a file, each once, also after a restart and a rotation', async () => {
  const clock = createManualClock()
  const [folder, dataDir] = [scratchPath(), scratchPath()]
  const auditFile = join(folder, 'audit.jsonl')
  const names = (file: string): string[] => linesOf(file).map(({ target }) => target.name)
  const first = await startHelix({ clock, config: { auditFile, dataDir } })
  await addKey(first, 'one')
  await passUntil(clock, () => names(auditFile).includes('one'))
  expect(linesOf(auditFile)[0]).toMatchObject({
    ...{ action: 'key.created', actor: { kind: 'command_line' }, target: { kind: 'key', name: 'test' } },
    time: expect.stringMatching(/^2001-/),
  })
  expect(statSync(auditFile).mode & 0o777).toBe(0o600)
  await first.server.close()

  const rotated = join(folder, 'audit.jsonl.1')
  renameSync(auditFile, rotated)
  const second = await startHelix({ clock, config: { auditFile, dataDir } })
  await addKey(second, 'two')
  await passUntil(clock, () => names(auditFile).includes('two'))
  expect(names(rotated)).toEqual(['test', 'one'])
  expect(names(auditFile)).toEqual(['test', 'two'])
  const ids = [...linesOf(rotated), ...linesOf(auditFile)].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})

test('they are sent to a syslog server once it can be reached', async () => {
  const clock = createManualClock()
  const port = await freePort()
  const helix = await startHelix({ clock, config: { auditSyslog: `tcp://127.0.0.1:${port}` } })
  let isLogged = false
  const failure = helix.logged({ event: 'audit_not_exported', target: 'syslog' }).then((event) => {
    isLogged = true
    return event
  })
  await passUntil(clock, () => isLogged)
  expect((await failure).cause).toContain('ECONNREFUSED')

  let received = ''
  const server = createServer((socket) => socket.on('data', (bytes) => (received += bytes.toString()))).listen(
    port,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  await passUntil(clock, () => received.includes('"name":"test"'))
  const [, length = '', message = ''] = /^(\d+) (.*)$/s.exec(received) ?? []
  expect(message).toHaveLength(Number(length))
  expect(message).toMatch(/^<110>1 2001-\d\d-\d\dT[\d:.]+Z \S+ helix \d+ audit - \{"id":\d+,"time":"2001-/)
  expect(await helix.logged({ event: 'audit_export_resumed' })).toMatchObject({ target: 'syslog' })
  expect(helix.logLines.filter((line) => line.includes('audit_not_exported'))).toHaveLength(1)
})

test('with udp:// each event is a datagram', async () => {
  const clock = createManualClock()
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const arrived = once(socket, 'message')
  const { port } = socket.address() as AddressInfo
  await startHelix({ clock, config: { auditSyslog: `udp://127.0.0.1:${port}` } })
  let message = ''
  void arrived.then(([bytes]) => {
    message = String(bytes)
  })
  await passUntil(clock, () => message !== '')
  expect(message).toMatch(/^<110>1 .* audit - \{.*"action":"key\.created"/)
})
