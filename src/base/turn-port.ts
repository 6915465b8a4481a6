import type { Clock } from './clock.ts'
import { parseJsonText } from './parse-json-text.ts'

/** What one side may be asked: each name with the question and its answer. */
type Calls = Record<string, { asks: unknown; answers: unknown }>
/** What one side may be told. */
type Notes = Record<string, unknown>

/** The functions that answer questions, and those that are told something. */
export type TurnHandlers<AskedCalls extends Calls, ToldNotes extends Notes> = {
  calls: {
    [Name in keyof AskedCalls]: (
      asks: AskedCalls[Name]['asks'],
    ) => AskedCalls[Name]['answers'] | Promise<AskedCalls[Name]['answers']>
  }
  notes: { [Name in keyof ToldNotes]: (value: ToldNotes[Name]) => void }
}

/**
 * Questions and notes between two threads. Those of one turn of the event loop, or under load of a few, travel in one message, in
 * their order: a message of its own for each would cost more than most of what they ask for.
 */
export interface TurnPort<AskedCalls extends Calls, ToldNotes extends Notes> {
  /** Rejects with what the other side threw, or once the port is closed. */
  call<Name extends keyof AskedCalls & string>(
    name: Name,
    asks: AskedCalls[Name]['asks'],
  ): Promise<AskedCalls[Name]['answers']>
  note<Name extends keyof ToldNotes & string>(name: Name, value: ToldNotes[Name]): void
  /** The other side is gone: nothing is sent any more, and what was asked is rejected. */
  close(reason: unknown): void
}

/** A `MessagePort`, a `Worker` or the port of its parent. */
type Port = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** How errors travel. */
export type FailureForm = { toPlain(error: unknown): unknown; fromPlain(plain: unknown): unknown }

type PortOptions = {
  failures: FailureForm
  /**
   * The questions, with their answers, and the notes that are nothing but JSON: as one text they cost half of a copy. The values of
   * others are copied beside it.
   */
  plain: ReadonlySet<string>
  clock: Pick<Clock, 'monotonicMs'>
}

/**
 * A message that follows the last one this soon is held for up to so many further turns: waking the other thread costs more than
 * most of what it is asked for, and under load more is to be said by then. Without load nothing waits.
 */
const soonMs = 0.25
const maxHeldTurns = 2

/** A list, because it travels. The number is that of the question; notes have none. With a fifth member, the value is beside the text. */
type Packet = readonly [
  type: 'note' | 'call' | 'answer' | 'failure',
  id: number,
  name: string,
  value: unknown,
  isBeside?: true,
]

type Handler = (value: unknown) => unknown
type Waiting = { resolve(value: unknown): void; reject(reason: unknown): void }

export const openTurnPort = <Own extends Calls, OwnNotes extends Notes, Other extends Calls, OtherNotes extends Notes>(
  port: Port,
  handlers: TurnHandlers<Own, OwnNotes>,
  { failures, plain, clock }: PortOptions,
): TurnPort<Other, OtherNotes> => {
  let outgoing: Packet[] = []
  /** The values that are not in the text, in the order of their packets. */
  let beside: unknown[] = []
  let closed: { reason: unknown } | null = null
  /** By the number of the question; numbers are used again. */
  const waiting: (Waiting | null)[] = []
  const free: number[] = []

  let flushedMs = Number.NEGATIVE_INFINITY
  let heldTurns = 0

  const flush = (): void => {
    const nowMs = clock.monotonicMs()
    if (nowMs - flushedMs < soonMs && heldTurns < maxHeldTurns) {
      heldTurns += 1
      setImmediate(flush)
      return
    }
    flushedMs = nowMs
    heldTurns = 0
    const text = JSON.stringify(outgoing)
    const message = beside.length === 0 ? text : [text, ...beside]
    outgoing = []
    beside = []
    if (closed === null) port.postMessage(message)
  }
  const send = (type: Packet[0], id: number, name: string, value: unknown): void => {
    if (closed !== null) return
    if (outgoing.length === 0) setImmediate(flush)
    if (type !== 'failure' && plain.has(name)) outgoing.push([type, id, name, value])
    else {
      outgoing.push([type, id, name, null, true])
      beside.push(value)
    }
  }
  const fail = (id: number, name: string, error: unknown): void => send('failure', id, name, failures.toPlain(error))
  const answer = (id: number, name: string, value: unknown): void => {
    if (value instanceof Promise)
      value.then(
        (later: unknown) => send('answer', id, name, later),
        (error: unknown) => fail(id, name, error),
      )
    else send('answer', id, name, value)
  }
  const take = (id: number): Waiting | null => {
    const one = waiting[id] ?? null
    waiting[id] = null
    free.push(id)
    return one
  }
  const answerCall = (id: number, name: string, value: unknown): void => {
    try {
      answer(id, name, handlerOf(handlers.calls, name)(value))
    } catch (error) {
      fail(id, name, error)
    }
  }
  const receive = ([type, id, name]: Packet, value: unknown): void => {
    if (type === 'answer') take(id)?.resolve(value)
    else if (type === 'failure') take(id)?.reject(failures.fromPlain(value))
    else if (type === 'note') handlerOf(handlers.notes, name)(value)
    else answerCall(id, name, value)
  }
  port.on('message', (message) => {
    if (closed !== null) return
    const { packets, values } = readMessage(message)
    let read = 0
    for (const packet of packets) {
      if (packet.length < 5) receive(packet, packet[3])
      else {
        receive(packet, values[read])
        read += 1
      }
    }
  })
  const ask = (name: string, value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closed !== null) return reject(closed.reason)
      const id = free.pop() ?? waiting.length
      waiting[id] = { resolve, reject }
      send('call', id, name, value)
    })
  return {
    call: (name, asks) => asAnswer(ask(name, asks)),
    note: (name, value) => send('note', 0, name, value),
    close(reason) {
      if (closed !== null) return
      closed = { reason }
      for (const one of waiting) one?.reject(reason)
      waiting.length = 0
    },
  }
}

type Message = { packets: readonly Packet[]; values: readonly unknown[] }

const readMessage = (message: unknown): Message => {
  if (typeof message === 'string') return { packets: asPackets(parseJsonText(message)), values: [] }
  const [text, ...values] = asBeside(message)
  return { packets: asPackets(parseJsonText(text)), values }
}

/** Sound because both sides are opened by this file. */
const asPackets = (message: unknown): readonly Packet[] => message as readonly Packet[]
const asBeside = (message: unknown): [text: string, ...values: unknown[]] => message as [string, ...unknown[]]

/** Sound because the handlers of the other side have the type of the question. */
const asAnswer = <Answer>(answer: Promise<unknown>): Promise<Answer> => answer as Promise<Answer>

const handlerOf = (table: object, name: string): Handler => {
  const found: unknown = Reflect.get(table, name)
  if (typeof found !== 'function') throw new Error(`nothing answers ${name}`)
  return asHandler(found)
}

/** Sound because only names of the table are sent, each with its own value. */
const asHandler = (found: object): Handler => found as Handler
