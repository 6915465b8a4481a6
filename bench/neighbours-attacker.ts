import { connect, type Socket } from 'node:net'
import { type Attack, type AttackName, attacks, cheapBody } from './neighbours-attacks.ts'
import type { NeighbourServer } from './neighbours-server.ts'

/** Attacks the server from its own process for a given time and reports the responses. */
export type AttackOrder = { server: NeighbourServer; sinkUrl: string; name: AttackName; to: Target; durationMs: number }
/** `control`: as many cheap requests that are refused. `sink`: the bytes of the attack, to a process that discards them. */
export type Target = 'attack' | 'control' | 'sink'
/** Number of answers per status; `none` if the connection stayed open to the end. */
export type AttackReport = Record<string, number>

type Request = { head: string; body: Buffer; way: Attack['way'] }

/** Built before the attack, and per request only if requests differ: the attacker must not slow itself down. */
const requestsOf = ({ server, name, to, durationMs }: AttackOrder): Request[] => {
  const cheap = to === 'control'
  const { key, way, body, perSecond } = attacks[name]
  const count = Math.floor((durationMs / 1000) * perSecond)
  const write = (): Buffer => Buffer.from(JSON.stringify({ model: 'helix-v1', ...(cheap ? cheapBody() : body()) }))
  const differs = name === 'nestedAnyOf' || name === 'enums'
  const one = write()
  return Array.from({ length: count }, () => {
    const bytes = differs ? write() : one
    const lines = [
      'POST /v1/chat/completions HTTP/1.1',
      `host: ${new URL(server.url).host}`,
      `authorization: Bearer ${server[cheap ? 'attackerKey' : key]}`,
      'content-type: application/json',
      `content-length: ${bytes.length}`,
      `connection: ${way === 'whole' ? 'close' : 'keep-alive'}`,
    ]
    return { head: `${lines.join('\r\n')}\r\n\r\n`, body: bytes, way: cheap ? 'whole' : way }
  })
}

const send = ({ hostname, port }: URL, { head, body, way }: Request, answered: (status: string) => void): Socket => {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.once('data', (bytes) => answered(bytes.toString('latin1', 9, 12)))
  if (way === 'unread') socket.once('data', () => socket.pause())
  else socket.resume()
  socket.write(head)
  socket.write(way === 'unfinished' ? body.subarray(0, -1) : body)
  return socket
}

const attack = async (order: AttackOrder): Promise<void> => {
  const requests = requestsOf(order)
  process.send?.('ready')
  const url = new URL(order.to === 'sink' ? order.sinkUrl : order.server.url)
  const report: AttackReport = { none: requests.length }
  const sockets: Socket[] = []
  const startedMs = performance.now()
  for (const [index, request] of requests.entries()) {
    const dueMs = startedMs + (index * 1000) / attacks[order.name].perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    const answered = (status: string): void => {
      report[status] = (report[status] ?? 0) + 1
      report.none = (report.none ?? 0) - 1
    }
    sockets.push(send(url, request, answered))
  }
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedMs + order.durationMs - performance.now())))
  for (const socket of sockets) socket.destroy()
  process.send?.(report)
}

process.on('message', (order: AttackOrder) => void attack(order))
process.on('disconnect', () => process.exit())
