import { parentPort, workerData } from 'node:worker_threads'
import { openWorker } from './open-worker.ts'
import type { WorkerData } from './worker-data.ts'

/** Sound because only `worker.ts` starts the thread. */
const asWorkerData = (data: unknown): WorkerData => data as WorkerData

if (parentPort === null) throw new Error('this file runs in a thread only')
openWorker(parentPort, asWorkerData(workerData))
