import { Client, type ClientConfig } from 'pg'

const probeEveryMs = 1_000
const probeTimeoutMs = 2_000

/**
 * Whether the database can be reached. A connection that fails starts a probe; if that fails as well, calls are refused at
 * once, instead of waiting for a time-out each, until a probe succeeds.
 */
export interface Availability {
  readonly isAway: boolean
  /** A connection could not be opened or broke. */
  examine(): void
  close(): void
}

export const createAvailability = (options: ClientConfig): Availability => {
  let isAway = false
  let isProbing = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const examine = async (): Promise<void> => {
    if (isProbing || isClosed) return
    isProbing = true
    isAway = !(await answers(options))
    isProbing = false
    if (!isAway || isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => void examine(), probeEveryMs)
  }
  return {
    get isAway() {
      return isAway
    },
    examine: () => void examine(),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const answers = async (options: ClientConfig): Promise<boolean> => {
  const client = new Client({
    ...options,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  // Without a listener a connection that breaks would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    // A server that does not answer does not say goodbye either.
    void client.end().catch(() => {})
  }
}
