import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readCookie, setCookie } from './cookies.ts'

test.each([
  ['a=1', '1'],
  ['b=2; a=1; aa=3', '1'],
  ['b=2;a=1', '1'],
  ['a=1; a=1', '1'],
  ['a=', ''],
  ['a=x=y', 'x=y'],
  ['a=1; a=2', undefined],
  ['b=a=1', undefined],
  ['A=1', undefined],
  ['', undefined],
])('of %j the cookie a is %j', (cookie, value) => {
  expect(readCookie({ cookie }, 'a')).toBe(value)
})

test('without a header there is no cookie', () => {
  expect(readCookie({}, 'a')).toBeUndefined()
})

test('the last cookie of a name counts, and others are kept', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  setCookie(response, 'a', '1', { secure: false, maxAgeSeconds: 10 })
  setCookie(response, 'ab', '2', { secure: false, maxAgeSeconds: 10 })
  setCookie(response, 'a', '3', { secure: true, maxAgeSeconds: 0 })
  expect(response.getHeader('set-cookie')).toEqual([
    'ab=2; Path=/; Max-Age=10; HttpOnly; SameSite=Lax',
    'a=3; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
})
