import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** The value of one cookie; undefined if it is missing, or present twice with different values. */
export const readCookie = ({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined => {
  const values = new Set(
    cookie
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1)),
  )
  return values.size === 1 ? [...values][0] : undefined
}

type CookieOptions = {
  secure: boolean
  maxAgeSeconds: number
  /** Whether scripts of the site may read it: for hints, never for anything that grants access. */
  isReadable?: boolean
}

/**
 * By default no script can read it, and no form or frame of another site sends it. A `maxAgeSeconds` of 0 deletes it. It
 * replaces whatever this response has already set under the same name.
 */
export const setCookie = (
  response: ServerResponse,
  name: string,
  value: string,
  { secure, maxAgeSeconds, isReadable = false }: CookieOptions,
): void => {
  const parts = [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    ...(isReadable ? [] : ['HttpOnly']),
    'SameSite=Lax',
  ]
  const others = [response.getHeader('set-cookie') ?? []].flat().map(String)
  response.setHeader('set-cookie', [
    ...others.filter((cookie) => !cookie.startsWith(`${name}=`)),
    [...parts, ...(secure ? ['Secure'] : [])].join('; '),
  ])
}
