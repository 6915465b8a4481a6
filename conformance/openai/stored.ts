import { expect, test } from 'vitest'
import { asking, failure } from '../open-service.ts'
import { clientOf, type OpenAiScenarios } from './openai-package.ts'

export const testStored: OpenAiScenarios = (openai, service) => {
  const completions = () => clientOf(openai, service).chat.completions
  const idsOf = async (items: AsyncIterable<{ id: string }>) => (await Array.fromAsync(items)).map(({ id }) => id)

  test('stored completions: list page by page, filter, read, label, delete', async () => {
    expect(await idsOf(completions().list())).toEqual([])
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) {
      const asked = { ...asking('Hi'), store: true, metadata: { half: n % 2 === 0 ? 'even & first' : 'odd' } }
      ids.push((await completions().create(asked)).id)
    }
    await completions().create(asking('not stored'))
    expect(await idsOf(completions().list())).toEqual(ids)
    expect(await idsOf(completions().list({ limit: 2, order: 'desc' }))).toEqual(ids.toReversed())
    const odd = ids.filter((_, n) => n % 2 === 1)
    expect(await idsOf(completions().list({ limit: 1, metadata: { half: 'odd' } }))).toEqual(odd)

    const [id = ''] = ids
    expect((await completions().retrieve(id)).choices[0]?.message.content).toBe('Hello, world!')
    expect(await completions().update(id, { metadata: { half: 'none' } })).toMatchObject({ metadata: { half: 'none' } })
    expect(await completions().delete(id)).toEqual({ object: 'chat.completion.deleted', id, deleted: true })
    expect(await failure(completions().retrieve(id))).toBeInstanceOf(openai.OpenAI.NotFoundError)
    expect(await idsOf(completions().list({ limit: 3 }))).toEqual(ids.slice(1))
  })

  test('the messages of a stored completion are those that were sent', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: '日本語で' }] },
    ]
    const { id } = await completions().create({ ...asking(''), messages, store: true })
    expect(await Array.fromAsync(completions().messages.list(id, { limit: 1 }))).toMatchObject([
      { id: `${id}-0`, role: 'system', content: 'Be brief' },
      { id: `${id}-1`, role: 'user', content: '日本語で', content_parts: [{ type: 'text', text: '日本語で' }] },
    ])
  })

  test('a streamed answer is stored like any other', async () => {
    const stream = completions().stream({ ...asking('Hi'), store: true })
    const { id } = await stream.finalChatCompletion()
    expect((await completions().retrieve(id)).choices[0]?.message.content).toBe('Hello, world!')
  })

  test('calls and formats are kept in what is stored', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
    const { id, choices } = await completions().create({ ...asking('weather Kyoto'), tools, store: true })
    const calls = choices[0]?.message.tool_calls
    expect(calls).toHaveLength(1)
    expect(await completions().retrieve(id)).toMatchObject({ tools, choices: [{ message: { tool_calls: calls } }] })
  })
}
