import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { LedgerRecords } from '../store/ledger-contract.ts'
import type { OnCorrected } from './correct-guess.ts'
import type { Ledger } from './ledger-contract.ts'
import { type OnSettled, RunningLedger } from './running-ledger.ts'
import { replaySpool } from './spool/replay-spool.ts'
import { openSpoolFile } from './spool/spool-file.ts'

type LedgerOptions = {
  records: Pick<LedgerRecords, 'reserve' | 'checkpoint' | 'settle' | 'recover' | 'find' | 'replaceGuess'>
  clock: Clock
  timeZone: string
  log: Log
  /** For a database that may be out of reach for a while; absent if it cannot be. */
  outage?: { spoolPath: string; maxMs: number }
  /** Something of this organisation was written: a request began or ended. */
  onWritten?(organisationId: string): void
  /** A request has ended. Called once for each, before it is written. */
  onSettled?: OnSettled
  /** The ledger has other counts of a request than its limits were told. */
  onCorrected?: OnCorrected
  /** Called before counts are written: those of workers are taken over. */
  beforeCheckpoint?(): void
}

/** Settles the requests that a dead server left open, then opens the ledger for this one. */
export const openLedger = async (options: LedgerOptions): Promise<Ledger> => {
  const { records, clock, timeZone, log, outage, onWritten, onSettled, onCorrected, beforeCheckpoint } = options
  const today = (): number => dayOf(clock.now(), timeZone)
  const opened = outage === undefined ? null : await openSpoolFile(outage.spoolPath)
  const spool = opened?.file ?? null
  // Before the recovery, which knows less about these requests.
  await replaySpool(opened?.left ?? [], { records, clock, today, log, onSettled, onCorrected })
  await spool?.clear(() => false)
  const recovered = await records.recover(clock.now(), today())
  if (recovered > 0) log.warn('ledger_recovered', { requests: recovered })
  const maxOutageMs = outage?.maxMs ?? 0
  const told = { onWritten, onSettled, onCorrected, beforeCheckpoint }
  return new RunningLedger({ records, clock, today, log, spool, maxOutageMs, ...told })
}
