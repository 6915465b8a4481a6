import type { NodeLease } from './node-lease.ts'

/** Longer than one batch takes; each batch asks again. */
const holdMs = 60_000

/**
 * Deletes a batch of expired rows if no other node is at it; otherwise nothing. Callers repeat it until there is nothing more to delete, so
 * a node that must not is done at once.
 */
export const oneAtATime =
  <Args extends unknown[]>(
    lease: Pick<NodeLease, 'holdTask'>,
    task: string,
    remove: (...args: Args) => Promise<number>,
  ): ((...args: Args) => Promise<number>) =>
  async (...args) =>
    (await lease.holdTask(task, holdMs)) ? remove(...args) : 0
