/**
 * The connection to Redis or Valkey that the nodes of a cluster share. May import `config` and `base`. Promises that a command
 * is answered or fails within its time limit: nothing waits in a queue for a server that is away.
 */
import type { RedisScript } from './redis-script.ts'

export interface Redis {
  /** Runs a script in one step. Its keys must share one hash tag, so that they are on one node of a Redis cluster. */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** One command on one key: `call('HGET', key, field)`. */
  call(command: string, key: string, ...args: readonly (string | number)[]): Promise<unknown>
  publish(channel: string, text: string): Promise<void>
  /** Messages that are published while Redis is away are lost. The returned function ends the subscription. */
  subscribe(channel: string, listener: (text: string) => void): () => void
  /** Whether commands fail at once, because it cannot be reached. */
  readonly isAway: boolean
  /** Called each time that it can be reached again. It may have lost its data. The returned function ends this. */
  onReturned(listener: () => void): () => void
  close(): Promise<void>
}

/** Redis did not answer in time or cannot be reached. Whether it has run the command is unknown. */
export class RedisAway extends Error {
  override readonly name = 'RedisAway'
}
