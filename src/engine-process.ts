/** Composition root of the engine role: the process that holds the model. Started and watched by the server. */
import { runWorker } from './engine/embedded/worker.ts'

runWorker(process)
