import type { Clock } from '../base/clock.ts'

/** Rejects if there is no result after so long; a result that comes later is handed to `discard`. */
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
