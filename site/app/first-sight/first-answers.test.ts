import { expect, test } from 'vitest'
import { createFirstAnswers } from './first-answers.ts'

const get: RequestInit = { method: 'GET' }

const open = () => {
  const asked: string[] = []
  const time = { ms: 0 }
  const answers = createFirstAnswers(
    async (url) => {
      asked.push(url)
      if (url === '/lost' && asked.length === 1) throw new TypeError('offline')
      return new Response(`${url} ${asked.length}`, { status: url === '/refused' && asked.length === 1 ? 403 : 200 })
    },
    () => time.ms,
  )
  return { asked, time, ...answers }
}

const textOf = async (response: Promise<Response>): Promise<string> => (await response).text()

test('what was asked early is not asked again, and both can read it; after that it is', async () => {
  const { asked, early, later } = open()
  expect(await textOf(early('/keys', get))).toBe('/keys 1')
  expect(await textOf(later('/keys', get))).toBe('/keys 1')
  expect(await textOf(later('/keys', get))).toBe('/keys 2')
  expect(asked).toEqual(['/keys', '/keys'])
})

test('what is asked twice early is asked once', async () => {
  const { asked, early, later } = open()
  const both = await Promise.all([textOf(early('/session', get)), textOf(early('/session', get))])
  expect(both).toEqual(['/session 1', '/session 1'])
  expect(await textOf(later('/session', get))).toBe('/session 1')
  expect(asked).toEqual(['/session'])
})

test('an answer is for the same address only, and never for or after a change', async () => {
  const { early, later } = open()
  await early('/keys', get)
  expect(await textOf(later('/keys?search=a', get))).toBe('/keys?search=a 2')
  expect(await textOf(later('/keys', { method: 'POST' }))).toBe('/keys 3')
  expect(await textOf(later('/keys', get))).toBe('/keys 4')
})

test('an answer that waited for seconds is not used', async () => {
  const { early, later, time } = open()
  await early('/keys', get)
  time.ms = 5000
  expect(await textOf(later('/keys', get))).toBe('/keys 2')
})

test('what was refused is asked again', async () => {
  const { early, later } = open()
  await early('/refused', get)
  expect(await textOf(later('/refused', get))).toBe('/refused 2')
})

test('what did not arrive is asked again', async () => {
  const { early, later } = open()
  await expect(early('/lost', get)).rejects.toThrow('offline')
  expect(await textOf(later('/lost', get))).toBe('/lost 2')
})
