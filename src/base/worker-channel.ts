import type { Transferable } from 'node:worker_threads'

/** A thread or a process that runs `serveJobs`, as its pool sees it. While nothing is awaited, it does not keep this process alive. */
export interface WorkerChannel {
  /** Throws if the job cannot be cloned. */
  post(job: unknown, transfer: readonly Transferable[]): void
  ref(): void
  unref(): void
  terminate(): void
}

export type WorkerEvents = {
  onMessage(message: unknown): void
  onFailure(reason: string): void
  onExit(reason: string): void
}
