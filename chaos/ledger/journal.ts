import { openSync, readFileSync, writeSync } from 'node:fs'

/**
 * The observations of every process, one line each, written at once and never changed. `at` is in milliseconds since
 * 1970, on the clock of the shared machine. The checker knows only these lines and the database.
 */
export type ClientEntry =
  | ({ event: 'sent' } & SentCall)
  /** The response head. */
  | { event: 'answered'; call: string; status: number; requestId: string; replayed: boolean }
  | { event: 'token'; call: string; choice: number; run: number; number: number }
  | { event: 'usage'; call: string; promptTokens: number; cachedTokens: number; completionTokens: number }
  | ({ event: 'ended'; call: string } & CallEnding)

export type SentCall = {
  call: string
  life: number
  question: string
  /** The id of the API key in the ledger. */
  keyId: string
  idempotencyKey: string | null
  stream: boolean
  choices: number
  /** Tokens of each choice, if nothing interrupts it. */
  tokens: number
  tokenBytes: number
  promptTokens: number
  cachedTokens: number
  /** Reads data as soon as it arrives. */
  prompt: boolean
  lastEventId: string | null
}

export type CallEnding = {
  how: CallEnd
  completionId: string | null
  /** The id of the last event that had one. */
  receivedEventId: string | null
  /** The code of an error. */
  code: string | null
}

export type CallEnd =
  /** `[DONE]`, or the whole document. */
  | 'complete'
  /** The client disconnected. */
  | 'left'
  /** The connection broke: the server was killed. */
  | 'broken'
  /** An error instead of an answer. */
  | 'refused'
  /** An error in the middle of a stream. */
  | 'failed'
  /** The client gave up after a long silence. */
  | 'silent'

export type UpstreamEntry =
  | { event: 'asked'; run: number; life: number; question: string }
  /** `tokens` is the number it sent. */
  | { event: 'over'; run: number; tokens: number; finished: boolean }

/** Counts of a settlement, in the order of `settlementColumns`. */
export type SettledRow = readonly [requestId: string, ...counts: number[]]

export type KillerEntry =
  | { event: 'started'; life: number }
  | { event: 'listening'; life: number }
  | { event: 'killed'; life: number }
  | { event: 'stopped'; life: number; code: number | null }
  /** The rows in a dead server's database that were settled since the previous kill. */
  | { event: 'settled'; life: number; rows: SettledRow[] }

export type Journal<Entry> = { write(entry: Entry): void }
export type Dated<Entry> = Entry & { at: number }

export const openJournal = <Entry>(file: string): Journal<Entry> => {
  const descriptor = openSync(file, 'a')
  return {
    write: (entry) => writeSync(descriptor, `${JSON.stringify({ at: Date.now(), ...entry })}\n`),
  }
}

/** Sound because only `openJournal` writes a journal, with the same kind of entry. */
export const readJournal = <Entry>(file: string): Dated<Entry>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Dated<Entry>)
