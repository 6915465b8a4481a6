import { expect, test } from 'vitest'
import { ModelRefused } from '../model-refused.ts'
import { createChatTemplate, TemplateRefused } from './template.ts'

const tokens = { bosToken: '<s>', eosToken: '</s>' }

test('roles, contents and the opening of the answer are rendered', () => {
  const render = createChatTemplate(
    '{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}{% if tools is not none %}tools{% endif %}',
    tokens,
  )
  expect(render({ messages: [{ role: 'user', content: 'hi' }], add_generation_prompt: true })).toBe(
    '<s>[user]hi</s>[assistant]',
  )
})

test('an exception of the template is told with its own words', () => {
  const render = createChatTemplate("{{ raise_exception('roles must alternate') }}", tokens)
  expect(() => render({})).toThrow(new TemplateRefused('roles must alternate'))
})

test('a template can ask for the date', () => {
  expect(createChatTemplate("{{ strftime_now('%Y') }}", tokens)({})).toMatch(/^\d{4}$/)
})

test('a template that cannot be parsed refuses the model', () => {
  expect(() => createChatTemplate('{% if %}', tokens)).toThrow(ModelRefused)
})

test('no variable can take the place of the tokens or of what the renderer brings', () => {
  const render = createChatTemplate('{{ bos_token }}{{ eos_token }}', tokens)
  expect(render({ bos_token: 'x', eos_token: 'y' })).toBe('<s></s>')
  expect(() => render({ raise_exception: null })).toThrow(TemplateRefused)
})
