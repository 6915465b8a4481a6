/**
 * `timeout`: the job ran longer than its limit. `queue_full` and `tenant_queue_full`: too many jobs wait, in total or of this
 * tenant. `crashed`: the thread ended under the job, as when its memory was used up. `failed`: the job threw. `closed`: the
 * pool was closed.
 */
export type WorkerPoolFailureKind = 'timeout' | 'queue_full' | 'tenant_queue_full' | 'crashed' | 'failed' | 'closed'

/** Why a pool of workers gave no result for a job. */
export class WorkerPoolFailure extends Error {
  readonly kind: WorkerPoolFailureKind

  constructor(kind: WorkerPoolFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
