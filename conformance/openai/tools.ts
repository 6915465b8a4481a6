import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { asking } from '../open-service.ts'
import { weatherArguments } from '../sample-schemas.ts'
import { clientOf, type OpenAiScenarios } from './openai-package.ts'

type Message = OpenAI.ChatCompletionMessageParam
type Call = OpenAI.ChatCompletionMessageToolCall

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const weatherFunction = { name: 'get_weather', description: 'Tells the weather', parameters }
const tools = [{ type: 'function' as const, function: weatherFunction }]
const sunnyIn = (cities: string[]) =>
  cities.map((city) => ({ name: 'get_weather', arguments: JSON.stringify({ city }) }))
const functionsOf = (calls: readonly Call[] = []) =>
  calls.flatMap((call) => (call.type === 'function' ? [call.function] : []))
const resultsOf = (calls: readonly Call[] = []): Message[] =>
  calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: `sunny ${index}` }))

export const testTools: OpenAiScenarios = (openai, service) => {
  const completions = () => clientOf(openai, service).chat.completions

  test.each([
    ['one call', ['Kyoto']],
    ['two calls at once', ['Kyoto', '東京']],
  ])('tools: %s, its result, and the answer, streamed or not', async (_, cities) => {
    const question = asking(`weather ${cities.join(' ')}`)
    const asked = { ...question, tools }
    const whole = (await completions().create(asked)).choices[0]
    const streamed = (await completions().stream(asked).finalChatCompletion()).choices[0]
    for (const choice of [whole, streamed]) {
      expect(choice?.finish_reason).toBe('tool_calls')
      expect(choice?.message.content).toBe(null)
      const calls = choice?.message.tool_calls
      expect(functionsOf(calls)).toMatchObject(sunnyIn(cities))
      expect(new Set(calls?.map(({ id }) => id)).size).toBe(cities.length)
    }

    const calls = whole?.message.tool_calls
    const called: Message = { role: 'assistant', content: null, ...(calls ? { tool_calls: calls } : {}) }
    const history = { ...asked, messages: [...question.messages, called, ...resultsOf(calls)] }
    const answer = `The tool said: sunny ${cities.length - 1}.`
    expect((await completions().create(history)).choices[0]?.message.content).toBe(answer)
    expect(await completions().stream(history).finalContent()).toBe(answer)
  })

  test('a streamed call is told piece by piece', async () => {
    const stream = completions().stream({ ...asking('weather Kyoto Paris'), tools })
    const pieces: string[] = []
    stream.on('tool_calls.function.arguments.delta', ({ index, arguments_delta }) => {
      pieces[index] = (pieces[index] ?? '') + arguments_delta
    })
    await stream.done()
    expect(pieces).toEqual(sunnyIn(['Kyoto', 'Paris']).map((call) => call.arguments))
  })

  test.each([false, true])('runTools calls our functions and brings the answer (stream: %s)', async (stream) => {
    const asked: string[] = []
    const getWeather = openai.zodFunction({
      name: 'get_weather',
      parameters: weatherArguments,
      function: ({ city }) => {
        asked.push(city)
        return `sunny in ${city}`
      },
    })
    const params = { ...asking('weather Kyoto 東京'), tools: [getWeather] }
    const runner = stream ? completions().runTools({ ...params, stream }) : completions().runTools(params)
    expect(await runner.finalContent()).toBe('The tool said: sunny in 東京.')
    expect(asked).toEqual(['Kyoto', '東京'])
    expect(runner.allChatCompletions()).toHaveLength(2)
  })

  test('parse() gives the arguments of a strict function as an object', async () => {
    const getWeather = openai.zodFunction({ name: 'get_weather', parameters: weatherArguments })
    const asked = { ...asking('Hi'), tools: [getWeather], tool_choice: 'required' as const }
    const { choices } = await completions().parse(asked)
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    const calls = functionsOf(choices[0]?.message.tool_calls)
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls)
      expect(call).toMatchObject({ parsed_arguments: weatherArguments.parse(JSON.parse(call.arguments)) })
  })

  test('messages of stream() and parse() can be sent back as they are', async () => {
    const getWeather = openai.zodFunction({ name: 'get_weather', parameters: weatherArguments })
    const question = asking('weather Kyoto')
    const asked = { ...question, tools: [getWeather] }
    const streamed = await completions().stream(asked).finalMessage()
    const parsed = (await completions().parse(asked)).choices[0]?.message
    if (parsed === undefined) throw new Error('There is no message')
    for (const message of [streamed, parsed]) {
      const messages = [...question.messages, message, ...resultsOf(message.tool_calls)]
      const answer = await completions()
        .stream({ ...asked, messages })
        .finalMessage()
      expect(answer.content).toBe('The tool said: sunny 0.')
      const followed = [...messages, answer, { role: 'user' as const, content: 'Hi' }]
      expect((await completions().create({ ...asked, messages: followed })).choices).toHaveLength(1)
    }
  })

  test('a choice of tools is kept to', async () => {
    const named = { type: 'function' as const, function: { name: 'get_weather' } }
    const forced = await completions().create({ ...asking('Hi'), tools, tool_choice: named })
    expect(functionsOf(forced.choices[0]?.message.tool_calls)).toMatchObject([{ name: 'get_weather' }])
    for (const tool_choice of ['auto', 'none'] as const) {
      const free = await completions().create({ ...asking('Hi'), tools, tool_choice })
      expect(free.choices[0]?.message).toMatchObject({ content: 'Hello, world!' })
      expect(free.choices[0]?.message.tool_calls).toBeUndefined()
    }
    const single = await completions().create({ ...asking('weather A B'), tools, parallel_tool_calls: false })
    expect(single.choices[0]?.message.tool_calls).toHaveLength(1)
  })

  test('functions, the older spelling: call, result and answer, streamed or not', async () => {
    const question = asking('weather Kyoto')
    const asked = { ...question, functions: [weatherFunction] }
    const [expected] = sunnyIn(['Kyoto'])
    const whole = (await completions().create(asked)).choices[0]
    expect(whole).toMatchObject({
      finish_reason: 'function_call',
      message: { content: null, function_call: expected },
    })
    const streamed = (await completions().stream(asked).finalChatCompletion()).choices[0]
    expect(streamed).toMatchObject({ finish_reason: 'function_call', message: { function_call: expected } })
    const named = await completions().create({ ...asked, function_call: { name: 'get_weather' } })
    expect(named.choices[0]?.message.function_call?.name).toBe('get_weather')

    const messages: Message[] = [
      ...question.messages,
      { role: 'assistant', content: null, function_call: whole?.message.function_call ?? null },
      { role: 'function', name: 'get_weather', content: 'sunny' },
    ]
    const answered = await completions().create({ ...asked, messages })
    expect(answered.choices[0]?.message.content).toBe('The tool said: sunny.')
  })
}
