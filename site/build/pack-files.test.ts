import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { packFiles } from './pack-files.ts'

const words = Array.from({ length: 20_000 }, (_, index) => `word${(index * 7919) % 1009}`).join(' ')

const openFolder = async (): Promise<string> => {
  const folder = await tempDir()
  await writeFile(join(folder, 'b.js'), words)
  await writeFile(join(folder, 'a.png'), 'a picture')
  return folder
}

const bytesIn = async (folder: string): Promise<Map<string, string>> => {
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const),
    ),
  )
}

test('what a release compresses again is smaller, the same each time, and listed as before', async () => {
  const folder = await openFolder()
  const listed = await packFiles(folder, 'quick')
  expect(listed.map(({ path, isCompressed }) => [path, isCompressed])).toEqual([
    ['/a.png', false],
    ['/b.js', true],
  ])
  const copies = [await tempDir(), await tempDir()]
  for (const copy of copies) {
    await cp(folder, copy, { recursive: true })
    expect(await packFiles(copy, 'highest')).toEqual(listed)
  }
  const [one, other] = await Promise.all(copies.map(bytesIn))
  expect(one).toEqual(other)
  const size = async (from: string): Promise<number> => (await stat(join(from, 'b.js.br'))).size
  expect(await size(copies[0] ?? '')).toBeLessThan(await size(folder))
})

test('files that come later are listed with those before, which are not compressed again', async () => {
  const folder = await openFolder()
  const listed = await packFiles(folder, 'quick')
  await writeFile(join(folder, 'b.js'), 'would be seen')
  await writeFile(join(folder, 'aa.json'), '{}')
  const all = await packFiles(folder, 'quick', listed)
  expect(all.map(({ path }) => path)).toEqual(['/a.png', '/aa.json', '/b.js'])
  expect((await stat(join(folder, 'b.js.gz'))).size).toBeGreaterThan(1000)
})
