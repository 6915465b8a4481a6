import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { type Config, settings } from '../config/settings.ts'
import type { MoveSource } from '../store/move/move-store.ts'
import { type Command, type OptionValue, UsageError } from './command.ts'
import { createMoveDisplay, type MoveDisplay } from './move-display.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Destination = { kind: 'postgres'; url: string } | { kind: 'sqlite'; path: string }

export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'Move all data to PostgreSQL, or from PostgreSQL to SQLite, while the server runs.',
  options: {
    to: {
      type: 'string',
      placeholder: 'URL',
      text: 'An empty database, postgres://USER@HOST/DATABASE, or sqlite:PATH for a new data directory.',
    },
    reopen: { type: 'boolean', text: 'Allow the use of data that was moved, without what has been written since.' },
  },
  note: 'The server is stopped by you, when the command says so, and started again with the new database. Ctrl-C interrupts the copy; the same command continues it. Set PGPASSWORD instead of writing a password on the command line.',
  async run({ config, options, terminal }) {
    if (options.reopen === true) {
      await reopen(config)
      terminal.out(`The data in ${storeLocation(config)} can be used again.\n`)
      return 0
    }
    const destination = readDestination(options.to, config)
    const stop = new AbortController()
    const onStop = (): void => stop.abort()
    for (const signal of stopSignals) process.on(signal, onStop)
    const display = createMoveDisplay({ terminal, isTerminal: process.stderr.isTTY === true, clock: systemClock })
    try {
      const moved = await move(config, destination, display, stop.signal)
      display.end()
      const rows = `${moved.rows.toLocaleString('en')} rows in ${moved.tables} tables`
      terminal.out(`Moved ${rows}. Every row was compared, and the usage totals are equal.\n`)
      terminal.out(nextStep(config, destination))
      return 0
    } catch (error) {
      display.end()
      if (!stop.signal.aborted) throw error
      terminal.err('Stopped. To continue, run the same command again.\n')
      return 130
    } finally {
      for (const signal of stopSignals) process.off(signal, onStop)
    }
  },
}

const readDestination = (to: OptionValue, { store }: Config): Destination => {
  if (typeof to !== 'string') throw new UsageError("'helix migrate-store' requires --to URL")
  if (to.startsWith('sqlite:') && to.length > 'sqlite:'.length) {
    if (store === null)
      throw new OperatorError('The data is in SQLite already. To copy it, use helix backup and helix restore')
    return { kind: 'sqlite', path: resolve(to.slice('sqlite:'.length)) }
  }
  if (store !== null)
    throw new OperatorError('The data is in PostgreSQL already. To copy it, use pg_dump and pg_restore')
  try {
    const url = settings.store.read(to)
    if (url !== null) return { kind: 'postgres', url }
  } catch {
    // Said below, without the password.
  }
  throw new UsageError('--to requires postgres://USER@HOST/DATABASE or sqlite:PATH')
}

const storeLocation = ({ store, dataDir }: Config): string => (store === null ? resolve(dataDir) : 'PostgreSQL')

const move = async (config: Config, destination: Destination, display: MoveDisplay, signal: AbortSignal) => {
  const onLost = (reason: string): void => display.show({ type: 'connection_lost', reason })
  const { moveStore } = await import('../store/move/move-store.ts')
  const source = await openSource(config, onLost, signal)
  try {
    return await moveStore({
      source,
      openTarget: async (store, sourceBytes) => {
        if (destination.kind === 'sqlite') {
          const { openSqliteTarget } = await import('../store/move/open-sqlite-target.ts')
          const { path } = destination
          return openSqliteTarget({ path, dataDir: config.dataDir, clock: systemClock, sourceBytes }, store)
        }
        const { openPostgresTarget } = await import('../store/move/open-postgres-target.ts')
        const { countReplaced: onReplaced } = display
        return openPostgresTarget({ url: destination.url, clock: systemClock, onLost, onReplaced, signal }, store)
      },
      clock: systemClock,
      onEvent: display.show,
      signal,
    })
  } finally {
    await source.close()
  }
}

/** Each database is loaded only where it is used. */
const openSource = async (
  { dataDir, timeZone, store: url }: Config,
  onLost: (reason: string) => void,
  signal: AbortSignal,
): Promise<MoveSource> => {
  if (url === null) {
    const { openSqliteSource } = await import('../store/move/open-sqlite-source.ts')
    return openSqliteSource({ dataDir, timeZone, clock: systemClock })
  }
  const { openPostgresSource } = await import('../store/move/open-postgres-source.ts')
  return openPostgresSource({ url, dataDir, clock: systemClock, onLost, signal })
}

const reopen = async ({ store, dataDir }: Config): Promise<void> => {
  if (store === null) {
    const { reopenSqlite } = await import('../store/move/open-sqlite-source.ts')
    return reopenSqlite(dataDir, systemClock)
  }
  const { reopenPostgres } = await import('../store/move/open-postgres-source.ts')
  return reopenPostgres(store)
}

const nextStep = ({ dataDir }: Config, destination: Destination): string =>
  destination.kind === 'postgres'
    ? `Start the server with HELIX_STORE set to the new database, and with the same data directory: ${resolve(dataDir)} still has secrets.key.\n`
    : `Start the server with HELIX_DATA_DIR=${destination.path} and without HELIX_STORE. secrets.key was copied there; models and certificates were not.\n`
