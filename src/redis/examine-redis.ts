import { systemClock } from '../base/clock.ts'
import { cannotUse, listHosts } from './cannot-use.ts'
import { connectRedis } from './connect-redis.ts'
import { withinTime } from './within-time.ts'

const oldestVersion = 7

/** Describes the server, or throws with the reason why it cannot be used. It changes nothing. */
export const examineRedis = async (addresses: readonly string[], timeoutMs: number): Promise<string> => {
  try {
    const connecting = connectRedis({ addresses, timeoutMs, onLost: () => {} })
    const connection = await withinTime(connecting, 2 * timeoutMs, systemClock, (late) => late.destroy())
    try {
      const info = String(await withinTime(connection.send('', ['INFO']), timeoutMs, systemClock))
      return `${describe(info)} at ${listHosts(addresses)}`
    } finally {
      connection.destroy()
    }
  } catch (error) {
    throw cannotUse(addresses, error)
  }
}

const describe = (info: string): string => {
  const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const valkey = field('valkey_version')
  const version = valkey === '' ? field('redis_version') : valkey
  const name = `${valkey === '' ? 'Redis' : 'Valkey'} ${version}`
  if (Number.parseInt(version, 10) < oldestVersion) throw new Error(`${name} is older than ${oldestVersion}`)
  // It would drop counters without a trace.
  if (field('maxmemory') !== '0' && field('maxmemory_policy') !== 'noeviction')
    throw new Error(`${name} evicts keys when its memory is full: set its maxmemory-policy to noeviction`)
  return name
}
