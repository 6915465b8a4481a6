import { Agent, request as httpRequest } from 'node:http'
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
type Answered = (status: string) => void

/** Built before the attack, and per request only if requests differ: the attacker must not slow itself down. */
const requestsOf = ({ server, name, to, durationMs }: AttackOrder): Request[] => {
  const cheap = to === 'control'
  const { key, way, body, perSecond, controlPerSecond = perSecond, path = '/v1/chat/completions' } = attacks[name]
  const count = Math.floor((durationMs / 1000) * (cheap ? controlPerSecond : perSecond))
  const write = (): Buffer => Buffer.from(JSON.stringify({ model: 'helix-v1', ...(cheap ? cheapBody() : body()) }))
  const differs = name === 'nestedAnyOf' || name === 'enums'
  const one = write()
  return Array.from({ length: count }, () => {
    const bytes = differs ? write() : one
    const lines = [
      `POST ${cheap ? '/v1/chat/completions' : path} HTTP/1.1`,
      `host: ${new URL(server.url).host}`,
      `authorization: Bearer ${server[cheap ? 'attackerKey' : key]}`,
      'content-type: application/json',
      `content-length: ${bytes.length}`,
      `connection: ${way === 'whole' ? 'close' : 'keep-alive'}`,
    ]
    return { head: `${lines.join('\r\n')}\r\n\r\n`, body: bytes, way: cheap ? 'whole' : way }
  })
}

const send = ({ hostname, port }: URL, { head, body, way }: Request, answered: Answered): Socket => {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.once('data', (bytes) => answered(bytes.toString('latin1', 9, 12)))
  if (way === 'unread') socket.once('data', () => socket.pause())
  else socket.resume()
  socket.write(head)
  socket.write(way === 'unfinished' ? body.subarray(0, -1) : body)
  return socket
}

/** Sends one request after the other, as soon as each is due and the one before it was answered. */
const keepSending = async (
  url: URL,
  waiting: { request: Request; dueMs: number }[],
  answered: Answered,
  signal: AbortSignal,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  signal.addEventListener('abort', () => agent.destroy())
  for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
    const { request, dueMs } = next
    await pause(dueMs - performance.now())
    await new Promise<void>((resolve) => {
      const [first = '', ...lines] = request.head.trimEnd().split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
      const outgoing = httpRequest(url, { agent, method: 'POST', path: first.split(' ')[1], headers, signal })
      outgoing.on('error', () => resolve())
      outgoing.on('response', (response) => {
        answered(String(response.statusCode))
        response.resume().on('close', resolve)
      })
      outgoing.end(request.body)
    })
  }
}

const pause = (ms: number): Promise<void> | undefined =>
  ms <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms))

const attack = async (order: AttackOrder): Promise<void> => {
  const requests = requestsOf(order)
  process.send?.('ready')
  const url = new URL(order.to === 'sink' ? order.sinkUrl : order.server.url)
  const report: AttackReport = { none: requests.length }
  const answered = (status: string): void => {
    report[status] = (report[status] ?? 0) + 1
    report.none = (report.none ?? 0) - 1
  }
  const sockets: Socket[] = []
  const ended = new AbortController()
  const startedMs = performance.now()
  const due = requests.map((request, index) => ({
    request,
    dueMs: startedMs + (index * order.durationMs) / requests.length,
  }))
  const kept = requests[0]?.way
  if (typeof kept === 'object')
    for (let connection = 0; connection < kept.kept; connection += 1) void keepSending(url, due, answered, ended.signal)
  else
    for (const { request, dueMs } of due) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      sockets.push(send(url, request, answered))
    }
  await pause(startedMs + order.durationMs - performance.now())
  ended.abort()
  for (const socket of sockets) socket.destroy()
  process.send?.(report)
}

process.on('message', (order: AttackOrder) => void attack(order))
process.on('disconnect', () => process.exit())
