import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimServer } from '../test/harness/browser-session.ts'
import { builtSiteFolder, consoleScripts, readManifest } from '../test/harness/built-site.ts'
import { openBuiltSite } from '../test/harness/open-built-site.ts'
import { openHelix } from '../test/harness/start-helix.ts'
import { createBareFiles } from './bare-files.ts'

/**
 * The real server in its own process, in front of an engine that answers at once, so that the CPU time is the server's
 * own; beside it a bare server with the same files. Sends their addresses, then its CPU time so far on each request;
 * closes when its parent disconnects.
 */
export type SiteServer = {
  url: string
  bareUrl: string
  /** Everything that the console's usage page requests with an empty browser cache. */
  paths: string[]
  dataDir: string
  key: string
  cookie: string
  organisationId: string
}

const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
const folder = await builtSiteFolder()
const site = await openBuiltSite(folder)
// On a busy machine requests arrive in bursts.
const helix = await openHelix({ config: { dataDir, queueLimit: 10_000 }, openSite: () => site })
const owner = await claimServer(helix)
const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const { organisation } = await owner.load()
const scripts = consoleScripts(await readManifest(folder), 'usage', 'en').map((file) => `/${file}`)
const document = await (await fetch(`${helix.url}/usage`, { headers: { cookie } })).text()
const linked = [...document.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? [])
const calls = ['/platform/session', '/platform/keys', '/platform/usage?days=30']
const paths = [...new Set(['/usage', ...linked, ...scripts, ...calls])]
const bare = await createBareFiles(helix.url, cookie, paths)
bare.listen(0, '127.0.0.1')
await once(bare, 'listening')
const told: SiteServer = {
  url: helix.url,
  bareUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}`,
  paths,
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
  bare.close()
  await helix.close()
  await rm(dataDir, { recursive: true, force: true })
})
process.send?.(told)
