/**
 * The results of steps, from the thread that generates them straight to the server. Through the main thread of the engine
 * process, each step would wake that thread up on a core that computes, only to pass them on.
 */
import { writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { RequestMessage } from './protocol.ts'

/** Its number in the engine process, after standard input, output, errors and Node's own channel. */
export const resultsDescriptor = 4

/** A frame is its length and then its messages. Most are tokens, so these have a form of their own. */
const lengthBytes = 4
const [otherKind, tokenKind] = [0, 1]
const tokenHeadBytes = 11
const otherHeadBytes = 5

let frame = Buffer.alloc(1024)

const reserve = (bytes: number): void => {
  if (bytes <= frame.length) return
  const larger = Buffer.alloc(bytes * 2)
  frame.copy(larger)
  frame = larger
}

/** The frame of these messages, which is valid until the next call. */
export const encodeResults = (messages: readonly RequestMessage[]): Buffer => {
  let end = lengthBytes
  for (const message of messages)
    end = message.type === 'token' && !message.logprob ? addToken(end, message) : addOther(end, message)
  frame.writeUInt32LE(end - lengthBytes)
  return frame.subarray(0, end)
}

const addToken = (at: number, { id, token, bytes }: RequestMessage & { type: 'token' }): number => {
  const end = at + tokenHeadBytes + bytes.length
  reserve(end)
  frame[at] = tokenKind
  frame.writeUInt32LE(id, at + 1)
  frame.writeUInt32LE(token, at + 5)
  frame.writeUInt16LE(bytes.length, at + 9)
  frame.set(bytes, at + tokenHeadBytes)
  return end
}

const addOther = (at: number, message: RequestMessage): number => {
  const bytes = serialize(message)
  const end = at + otherHeadBytes + bytes.length
  reserve(end)
  frame[at] = otherKind
  frame.writeUInt32LE(bytes.length, at + 1)
  frame.set(bytes, at + otherHeadBytes)
  return end
}

/** Waits while the server does not read. */
export const writeResults = (descriptor: number, messages: readonly RequestMessage[]): void => {
  const bytes = encodeResults(messages)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

/** Passes the messages of each frame on once it has arrived as a whole. */
export const createResultsReader = (receive: (messages: RequestMessage[]) => void): ((bytes: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    let open = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (open.length >= lengthBytes) {
      const end = lengthBytes + open.readUInt32LE(0)
      if (open.length < end) break
      receive(decodeResults(open.subarray(lengthBytes, end)))
      open = open.subarray(end)
    }
    rest = open
  }
}

const decodeResults = (bytes: Buffer): RequestMessage[] => {
  const messages: RequestMessage[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === tokenKind) {
      const end = at + tokenHeadBytes + bytes.readUInt16LE(at + 9)
      const [id, token] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)]
      // A copy: a small view would keep all that was read with it in memory.
      messages.push({ type: 'token', id, token, bytes: new Uint8Array(bytes.subarray(at + tokenHeadBytes, end)) })
      at = end
    } else {
      const end = at + otherHeadBytes + bytes.readUInt32LE(at + 1)
      messages.push(asMessage(deserialize(bytes.subarray(at + otherHeadBytes, end))))
      at = end
    }
  }
  return messages
}

/** Safe because only `encodeResults` writes to the pipe. */
const asMessage = (value: unknown): RequestMessage => value as RequestMessage
