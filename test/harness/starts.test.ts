import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startHelix } from './start-helix.ts'
import { noStarts, startsSoFar, subtractStarts } from './starts.ts'

test('servers, programs, engines and browsers are counted when they start, other processes are not', async () => {
  const before = startsSoFar()
  await startHelix()
  for (const word of ['/opt/helix/helix', '/opt/helix/src/engine-process.ts', '--remote-debugging-pipe', 'helix'])
    await once(spawn('true', [word]), 'exit')
  expect(subtractStarts(startsSoFar(), before)).toEqual({
    ...noStarts,
    servers: 1,
    programs: 1,
    models: 1,
    browsers: 1,
  })
})
