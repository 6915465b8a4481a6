import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { scratchDirectory } from '../../test/harness/scratch-store.ts'
import { systemClock } from '../base/clock.ts'
import { loadConfig } from '../config/load-config.ts'
import { controlSocketPath } from '../http/control-socket.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { withControl } from './control-access.ts'

const configOf = (dataDir: string) => ({
  ...loadConfig({ flags: {}, environment: {}, configFile: null }),
  dataDir,
})

/** Holds a data directory as a server does that does not listen yet. */
const holdDirectory = async (): Promise<string> => {
  const scratch = scratchDirectory()
  const directory = await lockDataDirectory(scratch.path, { clock: systemClock, waitMs: 0 })
  onTestFinished(() => {
    directory.release()
    scratch[Symbol.dispose]()
  })
  return scratch.path
}

test('a command says that a server is starting if one has the directory and does not listen in time', async () => {
  const dataDir = await holdDirectory()
  await expect(withControl(configOf(dataDir), async () => 'done', 0)).rejects.toThrow(
    `A server on ${dataDir} is starting or stopping, or another command is running; try again in a moment`,
  )
})

test('a command goes through a server that begins to listen while the command waits', async () => {
  const dataDir = await holdDirectory()
  const server = createServer((_, response) => response.end('{}'))
  onTestFinished(() => {
    server.close()
  })
  const done = withControl(configOf(dataDir), async () => 'done', 60_000)
  server.listen(controlSocketPath(dataDir))
  await once(server, 'listening')
  expect(await done).toBe('done')
})
