import { expect, test } from 'vitest'
import { showsTexts } from './shows-texts.ts'
import { createChatTemplate } from './template.ts'

const templateOf = (source: string) => createChatTemplate(source, { bosToken: '', eosToken: '' })
const all = '{% for message in messages %}{{ message.content }}\n{% endfor %}'
const tools = '{% if tools %}{{ tools | tojson }}{% endif %}'

test('a template that writes all messages and tools shows them', () => {
  expect(showsTexts(templateOf(tools + all), true)).toBe(true)
  expect(showsTexts(templateOf(all), false)).toBe(true)
})

test('one that leaves out tools, earlier questions or instructions does not', () => {
  expect(showsTexts(templateOf(all), true)).toBe(false)
  expect(showsTexts(templateOf('{{ messages[-1].content }}'), false)).toBe(false)
  const withoutSystem = "{% for message in messages if message.role != 'system' %}{{ message.content }}{% endfor %}"
  expect(showsTexts(templateOf(withoutSystem), false)).toBe(false)
})

test('where instructions are refused, no prompt has any', () => {
  const refusing = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
  expect(showsTexts(templateOf(refusing + all), false)).toBe(true)
  expect(showsTexts(templateOf("{{ raise_exception('nothing') }}"), false)).toBe(false)
})
