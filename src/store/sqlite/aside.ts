import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { StoreFailure } from '../store-failure.ts'
import type { AsideAnswer, AsideResult, AsideTask } from './aside-thread.ts'

/** Long looks at the database, each on a thread of its own that ends with it. */
export interface Aside {
  /** To a file that does not exist yet. */
  backUp(target: string): Promise<void>
  verifyUsage(): Promise<AsideResult['verifyUsage']>
  /** Resolves when those that were begun have ended. */
  close(): Promise<void>
}

export const createAside = (file: string): Aside => {
  const running = new Set<Promise<unknown>>()

  const start = <Name extends AsideTask['name']>(name: Name, target: string): Promise<AsideResult[Name]> => {
    const task = runThread({ name, target, file }).then((answer) => {
      if (answer.ok) return asResultOf<Name>(answer.value)
      throw new StoreFailure(`The store could not ${name}: ${answer.reason}`)
    })
    const done = (): void => {
      running.delete(task)
    }
    running.add(task)
    task.then(done, done)
    return task
  }

  return {
    async backUp(target) {
      if (existsSync(target)) throw new StoreFailure(`The file ${target} exists already.`)
      await start('backUp', target)
    },
    verifyUsage: () => start('verifyUsage', ''),
    close: async () => void (await Promise.allSettled(running)),
  }
}

const runThread = (task: AsideTask): Promise<AsideAnswer> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./aside-thread.ts', import.meta.url), {
      name: 'store aside',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData: task,
    })
    worker.on('message', (answer: unknown) => resolve(asAnswer(answer)))
    worker.on('error', (error) => resolve({ ok: false, reason: error.message }))
    worker.on('exit', () => resolve({ ok: false, reason: 'its thread stopped unexpectedly' }))
  })

/** True because only `aside-thread.ts` holds the other end, and it sends nothing else. */
const asAnswer = (message: unknown): AsideAnswer => message as AsideAnswer

/** True because the thread answers with what the task of that name returned, and records clone whole. */
const asResultOf = <Name extends AsideTask['name']>(value: unknown): AsideResult[Name] => value as AsideResult[Name]
