import type { NodeLease } from './node-lease.ts'

/** Longer than one batch takes; each batch asks again. */
const holdMs = 60_000

/**
 * Deletes a batch of expired rows, unless another node is doing so. Callers repeat it until there is nothing left to
 * delete, so a node that may not delete stops at once.
 */
export const oneAtATime =
  <Args extends unknown[]>(
    lease: Pick<NodeLease, 'holdTask'>,
    task: string,
    remove: (...args: Args) => Promise<number>,
  ): ((...args: Args) => Promise<number>) =>
  async (...args) =>
    (await lease.holdTask(task, holdMs)) ? remove(...args) : 0
