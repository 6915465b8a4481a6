import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/harness/temp-dir.ts'
import { wholeText } from '../../components/code-tabs.tsx'
import { buildRequest } from './build-request.ts'
import { type CodeDialect, codeDialects, inDialect } from './code-dialects.ts'
import { typescriptLiteral } from './code-literal.ts'
import { markMedia } from './media-in-code.ts'
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

test('every API says in its own way how much the model reasons, if it can', () => {
  const bodyOf = (dialect: CodeDialect, effort: 'low' | 'none') =>
    inDialect({ ...request('Hi'), reasoning_effort: effort }, dialect).body
  expect(bodyOf('chat', 'low')).toMatchObject({ reasoning_effort: 'low' })
  expect(bodyOf('responses', 'none')).toMatchObject({ reasoning: { effort: 'none' } })
  expect(bodyOf('messages', 'low')).toMatchObject({ output_config: { effort: 'low' } })
  for (const body of [bodyOf('messages', 'none'), bodyOf('completions', 'low')])
    expect(JSON.stringify(body)).not.toMatch(/effort|reasoning/)
})

test('no key is in it, only the place for one', () => {
  for (const id of ['curl', 'python', 'typescript']) {
    expect(codeIn(id, 'Hi')).toContain('HELIX_API_KEY')
    expect(codeIn(id, 'Hi')).toContain(baseUrl)
    expect(codeIn(id, 'Hi')).toContain('helix-v1')
  }
  expect(codeIn('python', "It's")).toContain('messages=[{"role": "user", "content": "It\'s"}],\n    temperature=0,')
})

const smallData = Buffer.from('a small picture').toString('base64')
const largeData = Buffer.alloc(200_000, 'large').toString('base64')
const name = `it's "large" $(x).png`
const turnWithFiles = {
  ...{ kind: 'sent' as const, id: 'a', text: "What's this?" },
  attachments: [
    { kind: 'image' as const, name: 'small.png', type: 'image/png', bytes: 15, data: smallData },
    { kind: 'image' as const, name, type: 'image/png', bytes: 200_000, data: largeData },
    { kind: 'audio' as const, name: '-a.wav', type: 'audio/wav', bytes: 200_000, data: largeData },
  ],
}
const filesCode = (id: string) => {
  const { turns, media } = markMedia([turnWithFiles])
  const sent = buildRequest({ model: 'helix-v1', system: '', turns, options: {} })
  const tab = requestCode(sent, baseUrl, 'chat', media).find((each) => each.id === id)
  return { whole: tab === undefined ? '' : wholeText(tab), parts: tab?.parts ?? [] }
}

test('a small image stands in the command, shortened on screen; larger files are read by it, whatever their names', async () => {
  const folder = await tempDir()
  for (const file of [name, '-a.wav']) writeFileSync(join(folder, file), Buffer.from(largeData, 'base64'))
  const { whole, parts } = filesCode('curl')
  expect(parts).toContainEqual({ yours: smallData, shown: '…' })
  expect(whole).not.toContain(largeData.slice(0, 100))
  const script = `curl() { cat; }\n${whole}`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', cwd: folder, maxBuffer: 10_000_000 })
  const sent = buildRequest({ model: 'helix-v1', system: '', turns: [turnWithFiles], options: {} })
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(sent)))
})

test('Python and TypeScript read the same files', () => {
  const python = filesCode('python').whole
  expect(python).toMatch(/^import base64\nimport os\n/)
  expect(python).toContain(`"url": "data:image/png;base64," + read_base64("it's \\"large\\" $(x).png"),`)
  expect(python).toContain('"data": read_base64("-a.wav"),')
  expect(python).toContain(`base64,${smallData}"`)
  const typescript = filesCode('typescript').whole
  expect(typescript).toContain("import { readFileSync } from 'node:fs'\n")
  expect(typescript).toContain(`base64,' + readFileSync('it\\'s "large" $(x).png', 'base64')`)
  expect(typescript).toContain("data: readFileSync('-a.wav', 'base64'),")
})

test('a text that is too long for an argument is printed by the shell itself', () => {
  const whole = codeIn('curl', '長'.repeat(60_000))
  // The script itself would be too long for an argument, too.
  const input = `curl() { cat; }\n${whole}\n`
  const { stdout } = spawnSync('sh', { input, encoding: 'utf8', maxBuffer: 10_000_000 })
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(request('長'.repeat(60_000)))))
})

test('images that were pasted have the same name, and are read from files of their own', () => {
  const paste = (data: string) => ({ kind: 'image' as const, name: 'image.png', type: 'image/png', bytes: 1, data })
  const [first, second] = [largeData, `${largeData}AAAA`]
  const attachments = [paste(first), paste(second), paste(first)]
  const { media } = markMedia([{ kind: 'sent', id: 'a', text: 'Hi', attachments }])
  expect(media.map(({ file }) => file)).toEqual(['image.png', 'image-2.png', 'image.png'])
})

test('a file that was made smaller is sent as what it is, and a dialect without media reads none', () => {
  const attachments = [
    { kind: 'image' as const, name: 'a.PNG', type: 'image/jpeg', bytes: 1, data: largeData, isReduced: true as const },
  ]
  const { turns, media } = markMedia([{ kind: 'sent', id: 'a', text: 'Hi', attachments }])
  const sent = buildRequest({ model: 'helix-v1', system: '', turns, options: {} })
  expect(JSON.stringify(sent)).toContain('data:image/png;base64,')
  for (const tab of requestCode(sent, baseUrl, 'responses', media)) expect(wholeText(tab)).not.toMatch(/base64|a\.PNG/)
})
