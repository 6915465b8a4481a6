import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Mail = { from: string; to: string[] /** Raw, including headers. */; source: string; text: string }

/** A mail server that accepts and keeps everything: enough of SMTP for a simple client. */
export const startMailServer = async () => {
  const mails: Mail[] = []
  const arrivals = new EventEmitter()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, (mail) => {
      mails.push(mail)
      arrivals.emit('mail')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    /** Resolves to the mail with that number (1 is the first) once it arrives. */
    async mail(count = 1): Promise<Mail> {
      while (mails.length < count) await once(arrivals, 'mail')
      return mails[count - 1] ?? { from: '', to: [], source: '', text: '' }
    },
  }
}

const converse = (socket: Socket, deliver: (mail: Mail) => void): void => {
  let waiting = ''
  let mail: Mail = { from: '', to: [], source: '', text: '' }
  let body: string[] | null = null
  const say = (line: string) => socket.write(`${line}\r\n`)
  const take = (line: string): void => {
    if (body !== null && line !== '.') return void body.push(line.replace(/^\./, ''))
    if (body !== null) {
      const source = body.join('\n')
      deliver({ ...mail, source, text: decodePlainPart(source) })
      body = null
      mail = { from: '', to: [], source: '', text: '' }
      return void say('250 kept')
    }
    const [, verb = '', address = ''] = /^(MAIL|RCPT|DATA|QUIT|\w+)(?:.*?<(.*?)>)?/i.exec(line) ?? []
    if (verb === 'MAIL') mail.from = address
    if (verb === 'RCPT') mail.to.push(address)
    if (verb === 'DATA') body = []
    say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok')
  }
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (waiting + text).split('\r\n')
    waiting = lines.pop() ?? ''
    lines.forEach(take)
  })
  say('220 test')
}

/** The plain-text part of a mail, which may be encoded in base64 or quoted-printable. */
const decodePlainPart = (source: string): string => {
  const part = source.split(/^--.*$/m).find((each) => /^content-type: text\/plain/im.test(each)) ?? source
  const [head = '', ...rest] = part.trimStart().split('\n\n')
  const text = rest.join('\n\n')
  if (/encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8')
  if (!/encoding: quoted-printable/i.test(head)) return text
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
