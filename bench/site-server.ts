import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimServer } from '../test/harness/browser-session.ts'
import { openHelix } from '../test/harness/start-helix.ts'

/**
 * The real server in a process of its own, in front of an engine that answers at once, so that what it uses of the CPU is
 * its own. Tells how to reach it, then, whenever it is asked, its CPU time so far; closes when its parent hangs up.
 */
export type SiteServer = { url: string; dataDir: string; key: string; cookie: string; organisationId: string }

const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
const helix = await openHelix({ config: { dataDir } })
const owner = await claimServer(helix)
const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const { organisation } = await owner.load()
const told: SiteServer = {
  url: helix.url,
  dataDir,
  key: owner.firstKey.key,
  cookie,
  organisationId: organisation?.id ?? '',
}
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000)
})
process.on('disconnect', async () => {
  await helix.close()
  await rm(dataDir, { recursive: true, force: true })
})
process.send?.(told)
