import { withoutTrailingSlashes } from '../base/without-trailing-slashes.ts'
import { type Described, list, refuse, type Setting } from './setting.ts'

/** Null if the text is no URL, or none of this kind. */
const usableUrl = (value: unknown, isUsable: (url: URL) => boolean): URL | null => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url !== null && isUsable(url) ? url : null
}

export const httpUrl = <Absent extends string | null>(options: Described<Absent>): Setting<string | Absent> => {
  const kind = 'an http:// or https:// URL without query or fragment'
  return {
    ...options,
    kind,
    read(value) {
      const url = usableUrl(value, isPlainHttp)
      return url === null ? refuse(kind) : withoutTrailingSlashes(url.href)
    },
  }
}

const isPlainHttp = ({ protocol, search, hash, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && search === '' && hash === '' && username === '' && password === ''

/** Without a path: pages and endpoints are served under fixed paths only. */
export const siteUrl = (options: Described<null>): Setting<string | null> => {
  const kind = 'an http:// or https:// URL without a path, query or fragment'
  const { read } = httpUrl(options)
  return {
    ...options,
    kind,
    read(value) {
      const url = read(value)
      return typeof url === 'string' && new URL(url).pathname === '/' ? url : refuse(kind)
    },
  }
}

/** The mail library takes any of its options from the query, one that starts a program included. */
const smtpOptions: ReadonlySet<string> = new Set([
  ...['name', 'requireTLS', 'ignoreTLS', 'authMethod', 'pool', 'maxConnections', 'maxMessages'],
  ...['tls.rejectUnauthorized', 'tls.servername', 'tls.minVersion'],
])

/** A row of an address that is passed on as it is. */
const address = (options: Described<null>, kind: string, isUsable: (url: URL) => boolean): Setting<string | null> => ({
  ...options,
  kind,
  read: (value) => usableUrl(value, isUsable)?.href ?? refuse(kind),
})

export const smtpUrl = (options: Described<null>): Setting<string | null> =>
  address(
    options,
    `an smtp:// or smtps:// URL; in its query only ${[...smtpOptions].join(', ')}`,
    ({ protocol, hostname, searchParams }) =>
      /^smtps?:$/.test(protocol) && hostname !== '' && [...searchParams.keys()].every((name) => smtpOptions.has(name)),
  )

export const syslogUrl = (options: Described<null>): Setting<string | null> =>
  address(
    options,
    'a tcp:// or udp:// URL with a host and a port',
    ({ protocol, hostname, port, username, pathname }) =>
      /^(tcp|udp):$/.test(protocol) && hostname !== '' && port !== '' && username === '' && pathname.length <= 1,
  )

export const postgresUrl = (options: Described<null>): Setting<string | null> =>
  address(
    options,
    'a postgres:// URL with a host and a database',
    ({ protocol, hostname, pathname }) => /^postgres(ql)?:$/.test(protocol) && hostname !== '' && pathname.length > 1,
  )

/** One or several addresses as one text: a password may be in them, so they are shown nowhere. */
export const redisUrls = (options: Described<null>): Setting<string | null> => {
  const kind = 'a redis:// or rediss:// URL with a host, or several of them separated by commas'
  const isUsable = (item: string): boolean => {
    const url = URL.parse(item)
    return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname)
  }
  return {
    ...options,
    kind,
    read(value) {
      const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : []
      return items.length > 0 && items.every(isUsable) ? items.join(',') : refuse(kind)
    },
  }
}

/** Browsers compare origins as exact strings, so this normalises each origin or rejects it. */
export const origins = (options: Described<readonly string[]>): Setting<readonly string[]> => {
  const kind = "a list of origins such as https://app.example.com, without a path or trailing '/', or `*`"
  const toOrigin = (item: string): string => {
    if (item === '*') return item
    if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+$/i.test(item)) return refuse(kind)
    const url = URL.parse(item)
    if (url === null || url.hostname === '' || url.hostname.includes('*')) return refuse(kind)
    // `URL` gives an origin only for web schemes; for an app or extension, use the text itself.
    return url.origin === 'null' ? item.toLowerCase() : url.origin
  }
  const { read } = list(options)
  return { ...options, kind, read: (value) => read(value).map(toOrigin) }
}
