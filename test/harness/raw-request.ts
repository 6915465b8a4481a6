import { expect } from 'vitest'
import type { RawAnswer } from './raw-connection.ts'
import { modelName } from './start-helix.ts'

/** Raw HTTP requests with this server's key; `lines` are additional header lines. */
export const rawRequests = ({ key }: { key: string }) => {
  const post = (...lines: string[]): string =>
    ['POST /v1/chat/completions HTTP/1.1', 'host: localhost', `authorization: Bearer ${key}`, ...lines, '\r\n'].join(
      '\r\n',
    )
  return {
    post,
    postBody(content: string, more = {}): string {
      const json = chatBody(content, more)
      return post(`content-length: ${Buffer.byteLength(json)}`) + json
    },
    get: (path: string, method = 'GET', ...lines: string[]): string =>
      [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${key}`, ...lines, '\r\n'].join('\r\n'),
  }
}

export const chatBody = (content: string, more = {}): string =>
  JSON.stringify({ model: modelName, messages: [{ role: 'user', content }], ...more })

/** A text as the whole body in one chunk. */
export const inOneChunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`

export const expectRawError = (answer: RawAnswer, status: number, code: string | null): void => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  expect(answer.headers.get('openai-version')).toBe('2020-10-01')
  const error = JSON.parse(answer.body).error
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
  expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code })
}
