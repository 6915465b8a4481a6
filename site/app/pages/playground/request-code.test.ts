import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeText } from '../../components/code-tabs.tsx'
import { buildRequest } from './build-request.ts'
import { codeDialects } from './code-dialects.ts'
import { typescriptLiteral } from './code-literal.ts'
import { requestCode } from './request-code.ts'

const baseUrl = 'http://127.0.0.1:8080/v1'
const request = (text: string) =>
  buildRequest({ model: 'helix-v1', system: '', turns: [{ kind: 'sent', id: 'a', text }], options: { temperature: 0 } })
const codeIn = (id: string, text: string): string => {
  const tab = requestCode(request(text), baseUrl).find((each) => each.id === id)
  return tab === undefined ? '' : wholeText(tab)
}

test('the shell reads back exactly the request, whatever was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const curl = codeIn('curl', text)
      const script = `curl() { for last; do :; done; printf %s "$last"; }\n${curl}`
      const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(request(text))))
    }),
    { numRuns: 25 },
  )
})

test('every value is itself when it is written in TypeScript', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const read: unknown = new Function(`return (${typescriptLiteral(plain)})`)()
      expect(JSON.stringify(read)).toBe(JSON.stringify(plain))
    }),
    { examples: [[JSON.parse('{"__proto__":0}')]] },
  )
})

test.each(codeDialects)('the dialect %s has the address, the message and a place for the key', (dialect) => {
  for (const tab of requestCode(request('Hi there'), baseUrl, dialect)) {
    const code = wholeText(tab)
    for (const part of ['HELIX_API_KEY', 'http://127.0.0.1:8080', 'helix-v1', 'Hi there']) expect(code).toContain(part)
  }
})

test('no key is in it, only the place for one', () => {
  for (const id of ['curl', 'python', 'typescript']) {
    expect(codeIn(id, 'Hi')).toContain('HELIX_API_KEY')
    expect(codeIn(id, 'Hi')).toContain(baseUrl)
    expect(codeIn(id, 'Hi')).toContain('helix-v1')
  }
  expect(codeIn('python', "It's")).toContain('messages=[{"role": "user", "content": "It\'s"}],\n    temperature=0,')
})
