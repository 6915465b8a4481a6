import { appendFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/harness/temp-dir.ts'
import { openSpoolFile } from './spool-file.ts'

test('lines survive the process; half a line, which was never acknowledged, does not', async () => {
  const path = join(await tempDir(), 'spool.jsonl')
  const first = await openSpoolFile(path)
  expect(first.left).toEqual([])
  await first.file.append(['一', 'two'])
  await first.file.append(['three'])
  await first.file.close()
  await appendFile(path, 'fo')
  const second = await openSpoolFile(path)
  expect(second.left).toEqual(['一', 'two', 'three'])
  await second.file.close()
})

test('only its owner may read it', async () => {
  const path = join(await tempDir(), 'spool.jsonl')
  const { file } = await openSpoolFile(path)
  await file.close()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('it is cleared unless a line is needed when its turn comes', async () => {
  const path = join(await tempDir(), 'spool.jsonl')
  const { file } = await openSpoolFile(path)
  let needed = 0
  const append = (line: string): Promise<void> => {
    needed += 1
    return file.append([line])
  }
  void append('one')
  await file.clear(() => needed > 0)
  needed = 0
  await file.clear(() => needed > 0)
  await append('two')
  await file.close()
  const { file: again, left } = await openSpoolFile(path)
  expect(left).toEqual(['two'])
  await again.close()
})
