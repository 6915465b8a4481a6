import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from './build/build-server.ts'
import { buildSite } from './build/build-site.ts'

/** Builds everything that an installation without the development packages serves and runs. */
const root = fileURLToPath(new URL('../', import.meta.url))
console.log((await buildSite(root)) ? 'The site is built.' : 'The site is built already.')
console.log(`The server is built: ${await buildServer(root, join(root, 'lib'))} files in lib/.`)
