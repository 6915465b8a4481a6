import { openSync, readFileSync, writeSync } from 'node:fs'

/**
 * What everybody saw, one line for each thing, written at once and never changed. `at` is in milliseconds since 1970, on the
 * clock of the machine that all of them share. The checker knows nothing but these lines and the database.
 */
export type ClientEntry =
  | ({ event: 'sent' } & SentCall)
  /** The head of the answer. */
  | { event: 'answered'; call: string; status: number; requestId: string; replayed: boolean }
  | { event: 'token'; call: string; choice: number; run: number; number: number }
  | { event: 'usage'; call: string; promptTokens: number; cachedTokens: number; completionTokens: number }
  | ({ event: 'ended'; call: string } & CallEnding)

export type SentCall = {
  call: string
  life: number
  question: string
  /** Of the API key, as the ledger names it. */
  keyId: string
  idempotencyKey: string | null
  stream: boolean
  choices: number
  /** Of each choice, if nothing breaks off. */
  tokens: number
  tokenBytes: number
  promptTokens: number
  cachedTokens: number
  /** Takes what comes as soon as it comes. */
  prompt: boolean
  lastEventId: string | null
}

export type CallEnding = {
  how: CallEnd
  completionId: string | null
  /** Of the last event that had one. */
  receivedEventId: string | null
  /** That of an error. */
  code: string | null
}

export type CallEnd =
  /** `[DONE]`, or the whole document. */
  | 'complete'
  /** The client went away. */
  | 'left'
  /** The connection broke: the server was killed. */
  | 'broken'
  /** An error instead of an answer. */
  | 'refused'
  /** An error in the middle of a stream. */
  | 'failed'
  /** Nothing came for so long that the client gave up. */
  | 'silent'

export type UpstreamEntry =
  | { event: 'asked'; run: number; life: number; question: string }
  /** `tokens` is what it handed over. */
  | { event: 'over'; run: number; tokens: number; finished: boolean }

/** Counts of a settlement, in the order of `settlementColumns`. */
export type SettledRow = readonly [requestId: string, ...counts: number[]]

export type KillerEntry =
  | { event: 'started'; life: number }
  | { event: 'listening'; life: number }
  | { event: 'killed'; life: number }
  | { event: 'stopped'; life: number; code: number | null }
  /** What the database of a dead server held as settled, and did not at the death before. */
  | { event: 'settled'; life: number; rows: SettledRow[] }

export type Journal<Entry> = { write(entry: Entry): void }
export type Dated<Entry> = Entry & { at: number }

export const openJournal = <Entry>(file: string): Journal<Entry> => {
  const descriptor = openSync(file, 'a')
  return {
    write: (entry) => writeSync(descriptor, `${JSON.stringify({ at: Date.now(), ...entry })}\n`),
  }
}

/** True because a journal is only ever written by `openJournal` with the same kind of entry. */
export const readJournal = <Entry>(file: string): Dated<Entry>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Dated<Entry>)
