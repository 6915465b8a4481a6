/** What `/platform/limits` answers. Times are milliseconds since 1970. */
export type LimitName = 'requestsPerMinute' | 'tokensPerMinute' | 'requestsInFlight' | 'tokensPerDay' | 'tokensPerMonth'

export type ShownLimit = {
  name: LimitName
  setBy: 'settings' | 'servers_own' | 'owner' | 'key'
  /** Null: no limit. */
  limit: number | null
  /** Null where there is no limit, or it is not this reader's affair. */
  used: number | null
  /** Null: when running requests end. */
  resetsAt: number | null
}

type LimitedKey = { id: string; name: string; prefix: string; lastFour: string; limits: ShownLimit[] }

export type LimitsShown = {
  /** The server's clock: the reader's own may be wrong. */
  now: number
  timeZone: string
  organisation: ShownLimit[]
  server: ShownLimit[]
  keys: LimitedKey[]
  unlimitedKeys: number
}
