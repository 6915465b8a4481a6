import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import koffi from 'koffi'
import { freeBuffer } from '../../../base/free-buffer.ts'
import { lowerPriority } from '../../../base/lower-priority.ts'
import { type JobResult, serveJobs } from '../../../base/serve-jobs.ts'
import { type InputAnswer, type InputAnswerJob, readInputAnswer } from './read-input-answer.ts'

/** After a pause of this length nobody waits for this thread, nor notices what giving memory back costs. */
const pauseMs = 20_000

/**
 * Gives back what many answers have needed: V8 collects no garbage of an idle thread, and the C library keeps freed memory of the whole
 * process as long as something below its end is in use.
 */
const giveMemoryBack = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  if (process.platform !== 'linux') return
  try {
    koffi.load('libc.so.6').func('int malloc_trim(size_t)')(0)
  } catch {
    // Another C library, which has no such function.
  }
}

/** The thread of `input-answer-reader.ts`. */
lowerPriority()
let pause: NodeJS.Timeout | undefined
serveJobs(({ blocks, form }: InputAnswerJob): JobResult<InputAnswer> => {
  clearTimeout(pause)
  pause = setTimeout(giveMemoryBack, pauseMs).unref()
  const value = readInputAnswer(Buffer.concat(blocks), form)
  blocks.forEach(freeBuffer)
  return 'problem' in value ? { value } : { value, transfer: [value.numbers.buffer] }
})
