import { type Described, list, refuse, type Setting } from './setting.ts'

export const httpUrl = <Absent extends string | null>(options: Described<Absent>): Setting<string | Absent> => {
  const kind = 'an http:// or https:// URL without query or fragment'
  return {
    ...options,
    kind,
    read(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null
      if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
        return refuse(kind)
      return url.href.replace(/\/+$/, '')
    },
  }
}

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

export const smtpUrl = (options: Described<null>): Setting<string | null> => {
  const kind = `an smtp:// or smtps:// URL; in its query only ${[...smtpOptions].join(', ')}`
  return {
    ...options,
    kind,
    read(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null
      const isUsable =
        url !== null &&
        /^smtps?:$/.test(url.protocol) &&
        url.hostname !== '' &&
        [...url.searchParams.keys()].every((name) => smtpOptions.has(name))
      return isUsable ? url.href : refuse(kind)
    },
  }
}

export const syslogUrl = (options: Described<null>): Setting<string | null> => {
  const kind = 'a tcp:// or udp:// URL with a host and a port'
  return {
    ...options,
    kind,
    read(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null
      const isUsable = url !== null && /^(tcp|udp):$/.test(url.protocol) && url.hostname !== '' && url.port !== ''
      return isUsable && url.username === '' && url.pathname.length <= 1 ? url.href : refuse(kind)
    },
  }
}

export const postgresUrl = (options: Described<null>): Setting<string | null> => {
  const kind = 'a postgres:// URL with a host and a database'
  return {
    ...options,
    kind,
    read(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null
      const isUsable =
        url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== '' && url.pathname.length > 1
      return isUsable ? url.href : refuse(kind)
    },
  }
}

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
