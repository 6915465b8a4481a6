import { execFileSync } from 'node:child_process'
import { appendFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canMount, withinSmallFileSystem } from '../../../test/harness/small-file-system.ts'
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

test('what was appended before and after half a line of another process is found', async () => {
  const path = join(await tempDir(), 'spool.jsonl')
  await appendFile(path, 'one\nha')
  const first = await openSpoolFile(path)
  await first.file.append(['two'])
  await first.file.close()
  const second = await openSpoolFile(path)
  expect(second.left).toEqual(['one', 'two'])
  await second.file.close()
})

test.skipIf(!canMount)('a line that a full disk took in part does not spoil the next one', async () => {
  const folder = await tempDir()
  const script = `
    import { rmSync, writeFileSync } from 'node:fs'
    import { openSpoolFile } from ${JSON.stringify(new URL('./spool-file.ts', import.meta.url).href)}
    const path = ${JSON.stringify(join(folder, 'spool.jsonl'))}
    const ballast = ${JSON.stringify(join(folder, 'ballast'))}
    const { file } = await openSpoolFile(path)
    await file.append(['one'])
    writeFileSync(ballast, 'x'.repeat(1_000_000))
    const refused = await file.append(['y'.repeat(2_500_000)]).then(() => 'written', (error) => error.code)
    rmSync(ballast)
    await file.append(['two'])
    await file.close()
    const { left } = await openSpoolFile(path)
    console.log(JSON.stringify([refused, ...left]))
    process.exit()
  `
  const [command = '', ...args] = [...withinSmallFileSystem(folder), process.execPath, '--input-type=module', '--eval']
  const output = execFileSync(command, [...args, script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  expect(JSON.parse(output)).toEqual(['ENOSPC', 'one', 'two'])
})
