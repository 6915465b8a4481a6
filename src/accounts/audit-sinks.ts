import { createSocket } from 'node:dgram'
import { appendFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { hostname } from 'node:os'
import type { NumberedEvent } from '../store/audit-contract.ts'
import type { AuditSink } from './audit-export.ts'
import { auditLine } from './audit-line.ts'

/** Opened for each batch, so that a file that was moved away by a rotation is created anew. */
export const createFileSink =
  (path: string): AuditSink =>
  (events) =>
    appendFile(path, events.map((event) => `${auditLine(event)}\n`).join(''), { mode: 0o600, flush: true })

const waitMs = 10_000

/** `tcp://host:port` or `udp://host:port`. */
export const createSyslogSink = (url: string): AuditSink => {
  const { protocol, hostname: host, port } = new URL(url)
  const place = { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
  const send = protocol === 'udp:' ? sendDatagrams : sendStream
  return (events) => send(place, events.map(syslogMessage))
}

/** Facility 13 is that of audit logs, and severity 6 is informational. */
const priority = 13 * 8 + 6

/** RFC 5424, without structured data. */
const syslogMessage = (event: NumberedEvent): Buffer => {
  const time = new Date(event.at).toISOString()
  return Buffer.from(`<${priority}>1 ${time} ${hostname()} helix ${process.pid} audit - ${auditLine(event)}`)
}

type Place = { host: string; port: number }

/** RFC 6587: each message after its length. */
const sendStream = ({ host, port }: Place, messages: readonly Buffer[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ host, port })
    socket.setTimeout(waitMs, () => socket.destroy(new Error(`the syslog server did not answer within ${waitMs} ms`)))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    for (const message of messages) socket.write(Buffer.concat([Buffer.from(`${message.length} `), message]))
    // The other side closes once it has read everything, or this one when it has been sent.
    socket.end(() => socket.destroySoon())
  })

const sendDatagrams = async ({ host, port }: Place, messages: readonly Buffer[]): Promise<void> => {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    for (const message of messages)
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)))
      })
  } finally {
    socket.close()
  }
}
