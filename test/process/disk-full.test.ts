import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { canMount, withinSmallFileSystem } from '../harness/small-file-system.ts'
import { startProgram } from '../harness/start-program.ts'

/** As much as goes in, to the last byte. */
const fill = (file: string): void => {
  for (let bytes = 4_000_000; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      writeFileSync(file, 'x'.repeat(bytes), { flag: 'a' })
    } catch {
      // Less may still fit.
    }
  }
}

test.skipIf(!canMount)(
  'with a full disk requests are refused before work begins, and accepted once there is space',
  async () => {
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const dataDir = scratchPath()
    const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
    const program = await startProgram({ dataDir, env, within: withinSmallFileSystem(dataDir) })
    const inside = join('/proc', String(program.pid), 'root', dataDir)
    const created = await runProgram(['keys', 'create', '--name', 'x', '--data-dir', inside])
    const ask = () =>
      fetch(`${program.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created.stdout.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }] }),
      })
    expect((await ask()).status).toBe(200)
    expect(upstream.asked).toHaveLength(1)

    fill(join(inside, 'ballast'))
    // The log of writes has pages of its own that it may still use.
    let refused = await ask()
    for (let n = 0; n < 200 && refused.status === 200; n += 1) refused = await ask()
    const askedBefore = upstream.asked.length
    expect(refused.status).toBe(503)
    expect(await (await ask()).json()).toMatchObject({ error: { code: 'ledger_unavailable' } })
    expect(upstream.asked).toHaveLength(askedBefore)
    expect((await fetch(`${program.url}/readyz`)).status).toBe(503)

    rmSync(join(inside, 'ballast'))
    expect((await ask()).status).toBe(200)
    expect(await program.stop()).toBe(0)
  },
)
