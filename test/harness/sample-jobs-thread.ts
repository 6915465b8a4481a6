import { type JobResult, serveJobs } from '../../src/base/serve-jobs.ts'

/** Jobs with every kind of behaviour, for tests of a pool of threads or processes. */
export type SampleJob =
  | { do: 'double'; value: number }
  | { do: 'measure'; bytes: Uint8Array }
  | { do: 'wait'; flag: Int32Array }
  | { do: 'loop' }
  | { do: 'throw' }
  | { do: 'exit' }
  | { do: 'abort' }
  | { do: 'pid' }
  | { do: 'hoard' }

let jobs = 0

serveJobs(async (job: SampleJob): Promise<JobResult<unknown>> => {
  jobs += 1
  switch (job.do) {
    case 'double':
      return { value: [job.value * 2, jobs] }
    case 'measure':
      return { value: job.bytes.length }
    case 'wait':
      Atomics.wait(job.flag, 0, 0)
      return { value: 'woken' }
    case 'loop':
      for (;;);
    case 'throw':
      throw new Error('no such number')
    case 'exit':
      return process.exit(3)
    case 'abort':
      return process.abort()
    case 'pid':
      return { value: process.pid }
    case 'hoard': {
      const hoard: unknown[] = []
      for (;;) hoard.push({ items: new Array(1000).fill(hoard.length) })
    }
  }
})
