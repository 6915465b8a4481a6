import type { Clock } from '../base/clock.ts'

/** Rejects if there is no result in time; a later result is passed to `discard`. */
export const withinTime = <Result>(
  result: Promise<Result>,
  timeoutMs: number,
  clock: Clock,
  discard: (late: Result) => void = () => {},
): Promise<Result> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const cancel = clock.after(timeoutMs, () => {
      isLate = true
      reject(new Error(`no answer within ${timeoutMs} ms`))
    })
    result.then(
      (value) => {
        if (isLate) return discard(value)
        cancel()
        resolve(value)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      },
    )
  })
