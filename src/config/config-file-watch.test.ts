import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../test/harness/scratch-store.ts'
import { createConfigFileWatch } from './config-file-watch.ts'

test('a file of settings that was changed, created or deleted is noticed, one written again as it was is not', async () => {
  using scratch = scratchDirectory()
  const path = join(scratch.path, 'helix.config.json')
  const hasAppeared = createConfigFileWatch(path)
  expect(await hasAppeared()).toBe(false)
  writeFileSync(path, '{"port":8080}')
  expect(await hasAppeared()).toBe(true)
  const hasChanged = createConfigFileWatch(path)
  writeFileSync(path, '{"port":8080}')
  expect(await hasChanged()).toBe(false)
  writeFileSync(path, '{"port":9090}')
  expect(await hasChanged()).toBe(true)
  rmSync(path)
  expect(await hasChanged()).toBe(true)
})
