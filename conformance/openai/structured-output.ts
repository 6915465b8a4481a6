import { expect, test } from 'vitest'
import { z } from 'zod'
import { asking, failure } from '../open-service.ts'
import { sampleSchemas } from '../sample-schemas.ts'
import { clientOf, type OpenAiScenarios } from './openai-package.ts'

const strictly = { headers: { 'x-helix-strict': '1' } }

export const testStructuredOutput: OpenAiScenarios = (openai, service) => {
  const completions = () => clientOf(openai, service).chat.completions

  test.each(Object.entries(sampleSchemas))('parse() gives an object of the schema: %s', async (_, schema) => {
    const asked = {
      ...asking('Answer in JSON'),
      response_format: openai.zodResponseFormat<z.ZodType>(schema, 'answer'),
    }
    const { choices } = await completions().parse(asked)
    const [{ message } = { message: null }] = choices
    expect(schema.parse(message?.parsed)).toEqual(JSON.parse(message?.content ?? ''))
    const streamed = await completions().stream(asked).finalChatCompletion()
    const final = streamed.choices[0]?.message
    expect(schema.parse(final?.parsed)).toEqual(JSON.parse(final?.content ?? ''))
  })

  test('a schema that refers to itself, and shared definitions', async () => {
    const branch: z.ZodType = z.object({
      name: z.string(),
      get parts() {
        return z.array(branch).max(2)
      },
    })
    const response_format = openai.zodResponseFormat<z.ZodType>(branch, 'tree')
    const { choices } = await completions().parse({ ...asking('Answer in JSON'), response_format })
    branch.parse(choices[0]?.message.parsed)
  })

  test('json_object: any object', async () => {
    const response_format = { type: 'json_object' as const }
    const { choices } = await completions().create({ ...asking('Answer in JSON'), response_format })
    expect(JSON.parse(choices[0]?.message.content ?? '')).toBeTypeOf('object')
    const unasked = await completions().create({ ...asking('Hi'), response_format })
    expect(JSON.parse(unasked.choices[0]?.message.content ?? '')).toBeTypeOf('object')
    const refused = await failure(completions().create({ ...asking('Hi'), response_format }, strictly))
    expect(refused).toMatchObject({ status: 400, param: 'messages' })
  })

  test('an answer that was cut off is not parsed', async () => {
    const response_format = openai.zodResponseFormat(sampleSchemas.nested, 'answer')
    const cut = { ...asking('Answer in JSON'), response_format, max_completion_tokens: 2 }
    const asked = [completions().parse(cut), completions().stream(cut).finalChatCompletion()]
    for (const error of await Promise.all(asked.map(failure)))
      expect(error).toBeInstanceOf(openai.LengthFinishReasonError)
  })

  test('a schema that breaks the rules of strict is enforced as it is, and refused in strict requests', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false }
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'answer', strict: true, schema } }
    const { choices } = await completions().create({ ...asking('Hi'), response_format })
    expect(JSON.parse(choices[0]?.message.content ?? '')).toBeTypeOf('object')
    const error = await failure(completions().create({ ...asking('Hi'), response_format }, strictly))
    expect(error).toBeInstanceOf(openai.OpenAI.BadRequestError)
    expect(error).toMatchObject({ param: 'response_format' })
  })
}
