import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { batchPerTurn } from '../src/usage/batch-per-turn.ts'

type Row = (string | number | null)[]
export type BareBatch = { id: number; table: 'begun' | 'ended'; rows: Row[] }

/** Two durable rows per request and nothing else: the minimum for any ledger that answers only after writing. */
export const openBareInserts = async (folder: string) => {
  const thread = new Worker(new URL('./bare-insert-thread.ts', import.meta.url), {
    workerData: join(folder, 'bare.db'),
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  await once(thread, 'message')
  const waiting = new Map<number, () => void>()
  let lastId = 0
  thread.on('message', (ids: number[]) => {
    for (const id of ids) {
      waiting.get(id)?.()
      waiting.delete(id)
    }
  })
  // Rows from one turn of the event loop are sent as one message, as in our ledger.
  const insertInto = (table: BareBatch['table']) =>
    batchPerTurn(
      (rows: Row[]) =>
        new Promise<void>((resolve) => {
          lastId += 1
          waiting.set(lastId, resolve)
          thread.postMessage({ id: lastId, table, rows } satisfies BareBatch)
        }),
    )
  const begin = insertInto('begun')
  const end = insertInto('ended')
  return {
    async request(id: string): Promise<void> {
      const at = Date.now()
      await begin([id, 1, 'helix-v1', 'chat.completions', 1, 500, at])
      await end([id, 100, 0, 50, 0, 'completed', 'stop', null, 0, 12, 340, at, 20261115])
    },
    close: () => thread.terminate(),
  }
}
