import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** The value of one cookie; undefined when it is not there, or there twice with different values. */
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
  /** Scripts of our pages may read it: for hints, never for anything that opens something. */
  isReadable?: boolean
}

/**
 * No script can read it unless told, and no other site's form or frame sends it along. A `maxAgeSeconds` of 0 takes it
 * away. Whatever this answer set under the same name before is forgotten.
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
