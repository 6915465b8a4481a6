import { Session } from 'node:inspector/promises'
import { onTestFinished } from 'vitest'

export type WorkerDebugger = {
  /** Which of the workers it is. */
  index: number
  /** The value of an expression in the thread. `workerData` is what it was started with. */
  evaluate(expression: string): Promise<unknown>
  /** An endless loop begins in the thread, with the next turn of its event loop. */
  hang(): Promise<void>
  /** How often its event loop has ticked. */
  ticks(): Promise<unknown>
}

type Answer = { id?: number; result?: { result: { value?: unknown } } }

/** Attaches to the workers that a server of this process has now, as a debugger does, in their order. */
export const debugWorkers = async ({ dataDir }: { dataDir: string }): Promise<WorkerDebugger[]> => {
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())
  const threads: string[] = []
  const waiting = new Map<number, (value: unknown) => void>()
  session.on('NodeWorker.attachedToWorker', ({ params }) => {
    if (params.workerInfo.title.endsWith('] worker')) threads.push(params.sessionId)
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id = 0, result }: Answer = JSON.parse(params.message)
    waiting.get(id)?.(result?.result.value)
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })

  const evaluateIn = (sessionId: string, expression: string): Promise<unknown> => {
    const id = waiting.size + 1
    const withData = `(({ workerData }) => ${expression})(process.getBuiltinModule('node:worker_threads'))`
    const params = { expression: withData, returnByValue: true }
    const message = JSON.stringify({ id, method: 'Runtime.evaluate', params })
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve)
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject)
    })
  }
  const workers: WorkerDebugger[] = []
  for (const sessionId of [...threads]) {
    const evaluate = (expression: string): Promise<unknown> => evaluateIn(sessionId, expression)
    const isOwn = `workerData.socketPath.startsWith(${JSON.stringify(dataDir)})`
    const index = await evaluate(`${isOwn} ? workerData.index : null`)
    if (typeof index !== 'number') continue
    workers.push({
      index,
      evaluate,
      hang: async () => void (await evaluate('void setImmediate(() => { for (;;); })')),
      ticks: () => evaluate('new Int32Array(workerData.ticks)[0]'),
    })
  }
  return workers.sort((one, other) => one.index - other.index)
}
