import type { ApiKey } from './ask.ts'

/**
 * A client that never saw a response head does not know its request's id in the ledger. The API key still identifies
 * the request if no other call uses that key in the same life of the server: such a key rests until the next life.
 */
export const createKeyRing = (apiKeys: readonly ApiKey[]) => {
  const restsInLife = new Map<ApiKey, number>()
  let used = 0
  const rests = (key: ApiKey, life: number): boolean => restsInLife.get(key) === life
  return {
    rests,
    /** Null when all keys rest. */
    choose(life: number): ApiKey | null {
      for (let tried = 0; tried < apiKeys.length; tried += 1) {
        used += 1
        const key = apiKeys[used % apiKeys.length]
        if (key !== undefined && !rests(key, life)) return key
      }
      return null
    },
    letRest(key: ApiKey, life: number): void {
      restsInLife.set(key, life)
    },
  }
}
