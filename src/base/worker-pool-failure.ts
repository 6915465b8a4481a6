/**
 * `timeout`: the job exceeded its time limit. `not_started`: the thread took too long to start. `queue_full` and `tenant_queue_full`: too
 * many jobs wait, in total or for this tenant. `crashed`: the thread ended during the job, e.g. out of memory. `failed`: the job threw.
 * `closed`: the pool was closed.
 */
export type WorkerPoolFailureKind =
  | 'timeout'
  | 'not_started'
  | 'queue_full'
  | 'tenant_queue_full'
  | 'crashed'
  | 'failed'
  | 'closed'

/** Why a worker pool returned no result for a job. */
export class WorkerPoolFailure extends Error {
  readonly kind: WorkerPoolFailureKind

  constructor(kind: WorkerPoolFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
