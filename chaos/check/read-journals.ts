import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CallEnding,
  type ClientEntry,
  type Dated,
  type KillerEntry,
  readJournal,
  type SentCall,
  type SettledRow,
  type UpstreamEntry,
} from '../ledger/journal.ts'

/** One call as its client saw it. */
export type JournalledCall = SentCall &
  CallEnding & {
    sentAt: number
    status: number | null
    /** Both null if no response head arrived. */
    requestId: string | null
    answeredAt: number | null
    replayed: boolean
    received: { run: number; number: number; at: number }[]
    usage: { promptTokens: number; cachedTokens: number; completionTokens: number } | null
    endedAt: number
  }

/** One upstream answer: one choice of a request. */
export type Run = { run: number; life: number; question: string; tokens: number; finished: boolean }

export type Life = {
  life: number
  startedAt: number
  /** Null if it was shut down cleanly. */
  killedAt: number | null
}

export type Journals = { calls: JournalledCall[]; runs: Run[]; lives: Life[]; settledAtDeaths: SettledRow[] }

export const readJournals = (folder: string): Journals => {
  const file = (name: string): string => join(folder, 'journals', name)
  const clients = readdirSync(join(folder, 'journals')).filter((name) => name.startsWith('client-'))
  const killer = readJournal<KillerEntry>(file('killer.jsonl'))
  return {
    calls: clients.flatMap((name) => callsOf(readJournal<ClientEntry>(file(name)))),
    runs: runsOf(readJournal<UpstreamEntry>(file('upstream.jsonl'))),
    lives: livesOf(killer),
    settledAtDeaths: killer.flatMap((entry) => (entry.event === 'settled' ? entry.rows : [])),
  }
}

const callsOf = (entries: Dated<ClientEntry>[]): JournalledCall[] => {
  const calls = new Map<string, JournalledCall>()
  for (const { at, ...entry } of entries) {
    if (entry.event === 'sent') {
      const { event: _, ...sent } = entry
      calls.set(entry.call, { ...sent, ...nothingReceived, sentAt: at, received: [] })
      continue
    }
    const call = calls.get(entry.call)
    if (call === undefined) throw new Error(`the journal has no call ${entry.call}`)
    applyEntry(call, entry, at)
  }
  return [...calls.values()].map((call, _, all) => ({ ...call, completionId: completionIdOf(call, all) }))
}

/** A stream resumed after its last event contains only its end, so the id comes from the earlier call. */
const completionIdOf = (
  { completionId, lastEventId }: JournalledCall,
  calls: readonly JournalledCall[],
): string | null =>
  completionId ??
  (lastEventId && calls.find(({ receivedEventId }) => receivedEventId === lastEventId)?.completionId) ??
  null

const nothingReceived = {
  status: null,
  requestId: null,
  answeredAt: null,
  replayed: false,
  usage: null,
  how: 'silent',
  endedAt: Number.POSITIVE_INFINITY,
  completionId: null,
  receivedEventId: null,
  code: null,
} as const

const applyEntry = (call: JournalledCall, entry: Exclude<ClientEntry, { event: 'sent' }>, at: number): void => {
  switch (entry.event) {
    case 'answered': {
      const { status, requestId, replayed } = entry
      Object.assign(call, { status, requestId, replayed, answeredAt: at })
      return
    }
    case 'token':
      call.received.push({ run: entry.run, number: entry.number, at })
      return
    case 'usage': {
      const { promptTokens, cachedTokens, completionTokens } = entry
      call.usage = { promptTokens, cachedTokens, completionTokens }
      return
    }
    case 'ended': {
      const { how, completionId, receivedEventId, code } = entry
      Object.assign(call, { how, completionId, receivedEventId, code, endedAt: at })
    }
  }
}

const runsOf = (entries: Dated<UpstreamEntry>[]): Run[] => {
  const runs = new Map<number, Run>()
  for (const entry of entries) {
    if (entry.event === 'asked') {
      const { run, life, question } = entry
      runs.set(run, { run, life, question, tokens: 0, finished: false })
    } else Object.assign(runs.get(entry.run) ?? {}, { tokens: entry.tokens, finished: entry.finished })
  }
  return [...runs.values()]
}

const livesOf = (entries: Dated<KillerEntry>[]): Life[] => {
  const lives = new Map<number, Life>()
  for (const { at, event, life } of entries) {
    if (event === 'started') lives.set(life, { life, startedAt: at, killedAt: null })
    const known = lives.get(life)
    if (event === 'killed' && known !== undefined) known.killedAt = at
  }
  return [...lives.values()]
}
