/** A step that llama.cpp could not compute. */
export class DecodeFailed extends Error {}

/** What `llama_decode` returns; ggml's own reason is in its log. */
const reasons = new Map([
  [1, 'the cache has no room for the step'],
  [2, 'the step was aborted'],
  [-1, 'the step is not valid'],
  [-2, 'the memory for the step could not be allocated'],
  [-3, 'the device could not compute the step'],
])
const allocationFailed = -2
const computeFailed = -3
/** Memory that another program has taken may come back. */
const maxAllocationFailures = 3

/**
 * Tells what a failed step means. After a reset of its driver a device computes nothing more in the same process, and does not say
 * so: `onLost` is called with the reason, for the process to be replaced by another one.
 */
export const createDecodeFaults = (onLost: (reason: string) => void) => {
  let allocationFailures = 0
  return {
    /** Throws unless the step has succeeded. */
    check(code: number): void {
      if (code === 0) {
        allocationFailures = 0
        return
      }
      const reason = `${reasons.get(code) ?? 'the step failed'} (llama_decode returned ${code})`
      if (code === allocationFailed) allocationFailures += 1
      if (code === computeFailed || allocationFailures >= maxAllocationFailures) onLost(reason)
      throw new DecodeFailed(reason)
    },
  }
}

/** Ends the process, from any of its threads: what its callers wait for fails, and the server starts another one. */
export const endWith =
  (log: (level: 'error', text: string) => void) =>
  (reason: string): void => {
    log('error', `The engine process ends and is started again: ${reason}.`)
    setImmediate(() => {
      throw new DecodeFailed(reason)
    })
  }
