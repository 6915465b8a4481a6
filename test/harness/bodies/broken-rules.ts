import fc, { type Arbitrary } from 'fast-check'
import { asList, asObject, without } from './kind.ts'

/** Ways to make a valid body invalid through the relation between its parts. */
type Body = Record<string, unknown>
type Broken = { body: Body; param: string | null }

const unasked = ['tools', 'tool_choice', 'functions', 'function_call']
const unformed = ['response_format', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice']
const tool = (name: string) => ({ type: 'function', function: { name } })
const call = { id: 'call_x', type: 'function', function: { name: 'f', arguments: '{}' } }
const answer = { role: 'tool', content: 'a', tool_call_id: 'call_x' }
const caller = { role: 'assistant', content: null, tool_calls: [call] }
const jsonSchema = { type: 'json_schema', json_schema: { name: 'n' } }

const said = (body: Body): unknown[] => asList(body.messages)
const behind = (body: Body, ...messages: unknown[]): Body => ({ ...body, messages: [...said(body), ...messages] })
const has = (field: string) => (message: unknown) => Array.isArray(asObject(message)[field])

/** Removes the answer to a call, if there is one. */
const forgetAnswer = (body: Body): Broken => {
  const index = said(body).findIndex(has('tool_calls'))
  if (index === -1) return { body: behind(body, caller), param: `messages.[${said(body).length}].role` }
  return { body: { ...body, messages: said(body).toSpliced(index + 1, 1) }, param: `messages.[${index}].role` }
}

const rules: ((body: Body) => Broken)[] = [
  (body) => ({ body: { ...body, foo: 1 }, param: null }),
  (body) => ({ body: { ...body, constructor: 1, toString: 2 }, param: null }),
  (body) => ({ body: without(body, 'model'), param: null }),
  (body) => ({ body: without(body, 'messages'), param: 'messages' }),
  (body) => ({ body: { ...body, max_tokens: 5, max_completion_tokens: 5 }, param: 'max_tokens' }),
  (body) => ({
    body: { ...without(body, 'max_completion_tokens'), max_tokens: 3, min_tokens: 4 },
    param: 'min_tokens',
  }),
  (body) => ({ body: { ...without(body, 'logprobs'), top_logprobs: 2 }, param: 'top_logprobs' }),
  (body) => ({ body: { ...body, stream: false, stream_options: {} }, param: 'stream_options' }),
  (body) => ({
    body: { ...body, continue_final_message: true, add_generation_prompt: true },
    param: 'continue_final_message',
  }),

  (body) => ({ body: { ...body, tools: [tool('f')], functions: [{ name: 'f' }] }, param: 'functions' }),
  (body) => ({ body: { ...without(body, ...unasked), tool_choice: 'required' }, param: 'tool_choice' }),
  (body) => ({ body: { ...without(body, ...unasked), function_call: 'auto' }, param: 'function_call' }),
  (body) => ({
    body: { ...without(body, ...unasked), tools: [tool('f'), tool('g'), tool('f')] },
    param: 'tools[2].function.name',
  }),
  (body) => ({
    body: { ...without(body, ...unasked), functions: [{ name: 'f' }, { name: 'f' }] },
    param: 'functions[1].name',
  }),
  (body) => ({
    body: { ...without(body, ...unasked), tools: [tool('f')], tool_choice: tool('g') },
    param: 'tool_choice.function.name',
  }),
  (body) => ({
    body: { ...without(body, ...unasked), functions: [{ name: 'f' }], function_call: { name: 'g' } },
    param: 'function_call.name',
  }),
  (body) => ({
    body: {
      ...without(body, ...unasked),
      tools: [tool('f')],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('f'), tool('g')] } },
    },
    param: 'tool_choice.allowed_tools.tools[1].function.name',
  }),

  (body) => ({
    body: { ...without(body, ...unformed), response_format: jsonSchema, guided_regex: 'a' },
    param: 'response_format',
  }),
  (body) => ({
    body: { ...without(body, ...unformed), guided_json: {}, guided_choice: ['a'] },
    param: 'guided_choice',
  }),
  (body) => ({
    body: { ...without(body, ...unformed), structured_outputs: { regex: 'a', choice: ['b'] } },
    param: 'structured_outputs',
  }),

  (body) => ({ body: { ...body, messages: [answer, ...said(body)] }, param: 'messages.[0].role' }),
  (body) => ({
    body: behind(body, { role: 'user', content: 'a' }, answer),
    param: `messages.[${said(body).length + 1}].role`,
  }),
  (body) => ({
    body: behind(body, caller, answer, { ...answer, tool_call_id: 'call_y' }),
    param: `messages.[${said(body).length + 2}].tool_call_id`,
  }),
  (body) => ({
    body: behind(body, {
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
    param: `messages[${said(body).length}].content[0]`,
  }),
  forgetAnswer,
]

export const brokenRule: Arbitrary<(body: Body) => Broken> = fc.constantFrom(...rules)
