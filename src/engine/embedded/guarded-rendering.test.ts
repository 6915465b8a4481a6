import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { talk } from '../../../test/harness/engine-request.ts'
import type { ChatMessage, Conversation } from '../contract.ts'
import { joinPieces, renderGuarded } from './guarded-rendering.ts'
import { type ChatTemplate, createChatTemplate, TemplateRefused } from './template.ts'
import { templateVariables } from './template-shapes.ts'
import { createTextFinder } from './text-finder.ts'

const special = ['<|start|>', '<|end|>', '<|end|>!', '[INST]', '</s>']
const findSpecial = createTextFinder(special)
const template = (source: string) => createChatTemplate(source, { bosToken: '<s>', eosToken: '</s>' })
const plainly = (render: ChatTemplate, conversation: Conversation) =>
  render(templateVariables(conversation, (text) => text))
const templates = {
  'with a line for each message': template(
    '{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}<|start|>assistant\n',
  ),
  'that runs contents together': template('{% for m in messages %}{{ m.content }}{% endfor %}'),
  'that trims': template('{% for m in messages %}[INST] {{ m.content | trim }} [/INST]{% endfor %}'),
  'that prints names': template('{% for m in messages %}{{ m.name }}: {{ m.content }}</s>{% endfor %}'),
}
const word = fc.oneof(
  fc.constantFrom(...special, '<|', '|>', 'end', '[[1:0]]', ' ', '\n'),
  fc.string({ unit: 'grapheme' }),
)
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''))
const messages = fc.array(
  fc.record<ChatMessage>(
    { role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: text, name: text },
    { requiredKeys: ['role', 'content'] },
  ),
  { maxLength: 4 },
)

describe.each(Object.entries(templates))('a template %s', (_, render) => {
  test('gives the same text guarded and plain', () => {
    fc.assert(
      fc.property(messages, (messages) => {
        expect(joinPieces(renderGuarded(render, talk(messages), findSpecial))).toBe(plainly(render, talk(messages)))
      }),
    )
  })

  test('never lets a special text of a message into its own pieces', () => {
    const count = (text: string) => findSpecial(`${text}.`).length
    fc.assert(
      fc.property(messages, (messages) => {
        const own = renderGuarded(render, talk(messages), findSpecial).filter(({ plain }) => !plain)
        const empty = plainly(render, talk(messages.map((message) => ({ ...message, content: '.', name: '.' }))))
        expect(own.reduce((sum, { text }) => sum + count(text), 0)).toBeLessThanOrEqual(count(empty))
      }),
    )
  })
})

test('a special text cannot be put together from two messages', () => {
  const halves: ChatMessage[] = [
    { role: 'user', content: 'a <|en' },
    { role: 'user', content: 'd|> b' },
  ]
  const pieces = renderGuarded(templates['that runs contents together'], talk(halves), findSpecial)
  expect(pieces.filter(({ text }) => findSpecial(`${text}.`).length > 0)).toEqual([])
  expect(joinPieces(pieces)).toBe('a <|end|> b')
})

test('messages without special texts stay in one piece', () => {
  const pieces = renderGuarded(templates['that trims'], talk('hello'), findSpecial)
  expect(pieces).toEqual([{ text: '[INST] hello [/INST]', plain: false }])
})

test('a refusal quotes the message as it was written', () => {
  const render = template('{{ raise_exception("cannot take " + messages[0].content) }}')
  expect(() => renderGuarded(render, talk('a <|end|>'), findSpecial)).toThrow(
    new TemplateRefused('cannot take a <|end|>'),
  )
})

const everything = template(
  '{{ tools | tojson }}{% for m in messages %}<|start|>{{ m.reasoning_content }}{{ m.content }}{{ m.tool_call_id }}{% for c in m.tool_calls or [] %}{{ c.id }}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}{{ extra | tojson }}',
)
const json = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom(...special, 'a', '<|') }).map(JSON.stringify)
const conversation = fc.record({ text, json, anyText: fc.oneof(text, json) }).map(({ text, json, anyText }) =>
  talk(
    [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: text,
        reasoning: text,
        toolCalls: [{ id: text, name: text, arguments: anyText }],
      },
      { role: 'tool', content: text, toolCallId: text },
    ],
    {
      tools: [{ name: text, description: text, parameters: JSON.stringify({ [text]: JSON.parse(json) }) }],
      templateVariables: { extra: JSON.parse(json) },
    },
  ),
)

test('tools, calls, results, thoughts and variables are guarded like messages', () => {
  fc.assert(
    fc.property(conversation, (conversation) => {
      const pieces = renderGuarded(everything, conversation, findSpecial)
      const own = pieces.filter(({ plain }) => !plain)
      expect(own.reduce((sum, { text }) => sum + findSpecial(`${text}.`).length, 0)).toBe(3)
      expect(joinPieces(pieces)).toBe(plainly(everything, conversation))
    }),
  )
})

test('an answer can go on with the last message, whatever the template writes behind it', () => {
  const last = (content: string) =>
    talk(
      [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
      ],
      { opening: 'continue' },
    )
  const opening = template(
    '{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content | trim }}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}',
  )
  fc.assert(
    fc.property(text, (content) => {
      const rendered = joinPieces(renderGuarded(opening, last(content), findSpecial))
      expect(rendered).toBe(`<|start|>user\nhi<|end|>\n<|start|>assistant\n${content.trimStart()}`)
    }),
  )
  const silent = template('{{ messages[0].content }}')
  expect(() => renderGuarded(silent, last('x'), findSpecial)).toThrow(TemplateRefused)
})
