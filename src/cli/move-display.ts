import type { Clock } from '../base/clock.ts'
import type { MoveEvent } from '../store/move/move-event.ts'
import type { Terminal } from './command.ts'

type DisplayOptions = { terminal: Terminal; isTerminal: boolean; clock: Clock }

export interface MoveDisplay {
  show(event: MoveEvent): void
  /** A text contained NUL, which PostgreSQL cannot store. */
  countReplaced(): void
  /** Nothing more is shown. */
  end(): void
}

const refreshMs = 100
/** Without a terminal: a line for each tenth, unless there is little to copy. */
const steps = 10
const fewRows = 10_000

/** Shows on standard error how far a move has come. */
export const createMoveDisplay = ({ terminal, isTerminal, clock }: DisplayOptions): MoveDisplay => {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let lastStep = 0
  let hasLine = false
  let replaced = 0
  let [isReady, isFinal] = [false, false]
  const end = (): void => {
    if (hasLine) terminal.err('\n')
    hasLine = false
    if (replaced > 0)
      terminal.err(`${replaced} rows contain the character U+0000, which PostgreSQL cannot store: it became U+FFFD.\n`)
    replaced = 0
  }
  const say = (text: string): void => {
    if (hasLine) terminal.err('\n')
    hasLine = false
    terminal.err(`${text}\n`)
  }
  const showProgress = (table: string, rows: number, totalRows: number): void => {
    const percent = Math.floor((100 * rows) / Math.max(1, totalRows))
    const text = `${percent}% of ${totalRows.toLocaleString('en')} rows (${table})`
    if (isTerminal) {
      const nowMs = clock.monotonicMs()
      if (nowMs - shownAtMs < refreshMs) return
      shownAtMs = nowMs
      hasLine = true
      terminal.err(`\r\u001b[K${text}`)
      return
    }
    const step = Math.floor((steps * rows) / Math.max(1, totalRows))
    if (step <= lastStep || totalRows < fewRows) return
    lastStep = step
    terminal.err(`${text}\n`)
  }
  return {
    end,
    countReplaced() {
      if (isFinal) replaced += 1
    },
    show(event) {
      if (event.type === 'progress') return showProgress(event.table, event.rows, event.totalRows)
      lastStep = 0
      if (event.type === 'copying') say('Copying while the server runs.')
      if (event.type === 'copied')
        say(`Compared ${event.rows.toLocaleString('en')} rows, copied ${event.changed.toLocaleString('en')}.`)
      if (event.type === 'waiting' && !isReady) {
        isReady = true
        say('Ready. Now stop the server: what has changed since is copied then, and the command ends.')
      }
      if (event.type === 'switching') {
        isFinal = true
        say('No server is running. Copying what has changed.')
      }
      if (event.type === 'connection_lost') say(`The connection was lost (${event.reason}); trying again.`)
    },
  }
}
