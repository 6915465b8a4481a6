import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchPath } from './harness/scratch-path.ts'

const root = join(import.meta.dirname, '..')

/** Lints these files with our configuration; each finding as its path and line. */
const lint = async (files: Record<string, string>): Promise<string[]> => {
  const folder = scratchPath()
  await cp(join(root, 'lint'), join(folder, 'lint'), { recursive: true })
  await cp(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${text}\n`)
  }
  const args = ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', ...Object.keys(files)]
  const output = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/biome'), args, { cwd: folder }, (_error, out, errors) =>
      resolve(out + errors),
    )
  })
  const found = [...output.matchAll(/title=plugin,file=([^,]+),line=(\d+)/g)]
  return found.map(([, path = '', line]) => `${path.slice(path.indexOf('/src/') + 1)}:${line}`).sort()
}

test('a cast stands alone in a named function at the top level', async () => {
  const text = `
const asName = (value: unknown): string => value as string
export const asNames = <Name extends string>(value: unknown): Name[] => value as Name[]
const kinds = ['chat', 'embedding'] as const
const inline = (kinds[0] as string).length
const asLength = (value: unknown): number => (value as string).length
const names = [inline].map((value) => value as unknown)
const nested = (value: unknown): string => {
  const asText = (inner: unknown): string => inner as string
  return asText(value)
}
const given = { asName: (value: unknown): string => value as string }
const bracketed = <number>names.length
function declared(value: unknown): string {
  return value as string
}`.trim()
  const findings = [4, 5, 6, 8, 11, 12, 14].map((line) => `src/example.ts:${line}`)
  expect(await lint({ 'src/example.ts': text })).toEqual(findings.sort())
})

test('neither JSON.parse nor Object.assign is used, called or handed on', async () => {
  const text = `
const value: { a: string } = JSON.parse('{}')
const values = ['1', '2'].map(JSON.parse)
Object.assign(value, { b: 1 })
const assign = Object.assign`.trim()
  const findings = [1, 2, 3, 4].map((line) => `src/example.ts:${line}`)
  expect(await lint({ 'src/example.ts': text })).toEqual(findings)
})

test('tests may cast and parse as they like', async () => {
  const text = `const value = JSON.parse('1') as number`
  expect(await lint({ 'src/example.test.ts': text, 'test/example.ts': text })).toEqual([])
  expect(await lint({ 'site/example.tsx': text })).toHaveLength(2)
})
