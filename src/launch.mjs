// Plain JavaScript that any Node can read: an old one is told so in one line before it meets TypeScript.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const stop = (line) => {
  console.error(`helix: ${line}`)
  process.exit(1)
}
if (major < 24 || (major === 24 && minor < 7))
  stop(
    `Node 24.7 or later is required, but this is ${process.versions.node}. On Linux (x64, arm64), 'npm ci' installs it.`,
  )
const packages = new URL('../node_modules/', import.meta.url)
if (!existsSync(packages)) stop("dependencies are not installed. Run 'npm ci' first.")

const main = new URL('./main.ts', import.meta.url)
if (main.pathname.endsWith('.ts')) {
  // Compiled code is kept for the next start, beside the packages: nobody else can write there. Where we cannot either, Node
  // goes on without it. The variable takes it to the threads and processes that are started from here. A built server keeps it
  // in its data directory instead (`src/config/keep-compiled-code.ts`).
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/helix', packages))
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
}
await import(main.href)
