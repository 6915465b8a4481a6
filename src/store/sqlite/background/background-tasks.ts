import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BackupItem } from '../../backup-item.ts'
import { StoreFailure } from '../../store-failure.ts'
import type { BackgroundAnswer, BackgroundResult, BackgroundTask } from './background-thread.ts'

/** Long reads of the database, each on a thread of its own. */
export interface BackgroundTasks {
  /** Writes a copy to a file that does not exist yet. */
  backUp(target: string, items?: readonly BackupItem[]): Promise<void>
  verifyUsage(): Promise<BackgroundResult['verifyUsage']>
  /** Resolves when all running tasks have ended. */
  close(): Promise<void>
}

export const openBackgroundTasks = (file: string): BackgroundTasks => {
  const running = new Set<Promise<unknown>>()
  const targets = new Set<string>()

  const start = <Name extends BackgroundTask['name']>(
    name: Name,
    target: string,
    items: readonly BackupItem[] = [],
  ): Promise<BackgroundResult[Name]> => {
    const task = runThread({ name, target, file, items }).then((answer) => {
      if (answer.ok) return asResultOf<Name>(answer.value)
      throw new StoreFailure(name === 'backUp' ? cannotWrite(target, answer.reason) : answer.reason)
    })
    const done = (): void => {
      running.delete(task)
    }
    running.add(task)
    task.then(done, done)
    return task
  }

  return {
    async backUp(target, items = []) {
      if (existsSync(target)) throw new StoreFailure(cannotWrite(target, 'it exists already'))
      if (!existsSync(dirname(target))) throw new StoreFailure(cannotWrite(target, 'its directory does not exist'))
      if (targets.has(target)) throw new StoreFailure(cannotWrite(target, 'it is being written'))
      targets.add(target)
      await start('backUp', target, items).finally(() => targets.delete(target))
    },
    verifyUsage: () => start('verifyUsage', ''),
    async close() {
      await Promise.allSettled(running)
    },
  }
}

const cannotWrite = (target: string, reason: string): string => `Cannot write ${target}: ${reason}.`

const runThread = (task: BackgroundTask): Promise<BackgroundAnswer> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./background-thread.ts', import.meta.url), {
      name: 'store background',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData: task,
    })
    worker.on('message', (answer: unknown) => resolve(asAnswer(answer)))
    worker.on('error', (error) => resolve({ ok: false, reason: error.message }))
    worker.on('exit', () => resolve({ ok: false, reason: 'its thread stopped unexpectedly' }))
  })

/** True because only `background-thread.ts` has the other end, and it sends nothing else. */
const asAnswer = (message: unknown): BackgroundAnswer => message as BackgroundAnswer

/** True because the thread answers with what the task of that name returned, and records clone whole. */
const asResultOf = <Name extends BackgroundTask['name']>(value: unknown): BackgroundResult[Name] =>
  value as BackgroundResult[Name]
