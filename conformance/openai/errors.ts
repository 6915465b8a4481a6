import { expect, test } from 'vitest'
import { asking, failure } from '../open-service.ts'
import { type ClientOptions, clientOf, type OpenAiScenarios } from './openai-package.ts'

export const testErrors: OpenAiScenarios = (openai, service) => {
  const { OpenAI } = openai
  const completions = (more: ClientOptions = {}) => clientOf(openai, service, more).chat.completions

  test.each([false, true])('a wrong value is a BadRequestError that names it (stream: %s)', async (stream) => {
    const error = await failure(completions().create({ ...asking('Hi'), temperature: 3, stream }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'decimal_above_max_value',
      requestID: expect.stringMatching(/^req_/),
    })
    const empty = await failure(completions().create({ ...asking('Hi'), messages: [], stream }))
    expect(empty).toMatchObject({ status: 400, param: 'messages', code: 'empty_array' })
  })

  test('a wrong key is an AuthenticationError', async () => {
    const error = await failure(completions({ apiKey: 'sk-1234567890123456789' }).create(asking('Hi')))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  test('an unknown model is a NotFoundError', async () => {
    const error = await failure(completions().create({ ...asking('Hi'), model: 'none' }))
    expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    expect(error).toMatchObject({ status: 404, code: 'model_not_found' })
  })

  test('an answer that breaks off is an APIError, and what came before it was told', async () => {
    const stream = await completions().create({ ...asking('break'), stream: true })
    const heard: string[] = []
    const error = await failure(Array.fromAsync(stream, ({ choices }) => heard.push(choices[0]?.delta.content ?? '')))
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error).toMatchObject({ code: 'engine_failed', type: 'server_error' })
    expect(heard.join('')).toBe('Half an answer')
    expect(await failure(completions().stream(asking('break')).finalContent())).toBeInstanceOf(OpenAI.APIError)
    expect(await failure(completions().create(asking('break')))).toBeInstanceOf(OpenAI.InternalServerError)
  })

  test.each([false, true])('a client that is put off comes again by itself (stream: %s)', async (stream) => {
    const attempts: (string | null)[] = []
    const counted: typeof fetch = (input, init) => {
      attempts.push(new Headers(init?.headers).get('x-stainless-retry-count'))
      return service.fetch(input, init)
    }
    const patient = completions({ maxRetries: 2, fetch: counted })
    const question = asking(`flaky, patient, ${stream}`)
    const content = stream
      ? await patient.stream(question).finalContent()
      : (await patient.create(question)).choices[0]?.message.content
    expect(content).toBe('Hello, world!')
    expect(attempts).toEqual(['0', '1'])
  })

  test('a client that does not try again is told when to', async () => {
    const error = await failure(completions().create(asking('flaky, in a hurry')))
    expect(error).toBeInstanceOf(OpenAI.InternalServerError)
    expect(error).toMatchObject({ status: 503, code: 'engine_loading' })
    if (error instanceof OpenAI.APIError) expect(Number(error.headers?.get('retry-after-ms'))).toBe(5)
  })
}
