import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository, runProgram } from '../harness/run-program.ts'
import { tempDir } from '../harness/temp-dir.ts'

/** The machine's own Node, as somebody has it who installed nothing of ours. */
const machine = await runProgram(['node', '--version'], { command: '/usr/bin/env' })
const [major = 0, minor = 0] = machine.stdout.slice(1).split('.').map(Number)
const isOld = machine.code === 0 && (major < 24 || (major === 24 && minor < 7))
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const pinned: string | undefined = manifest.optionalDependencies[`node-linux-${process.arch}`]
const hasPinned = process.platform === 'linux' && pinned !== undefined

test.skipIf(!isOld)('a Node on the path that is too old is a one-line error', async () => {
  const launch = join(repository, 'src/launch.mjs')
  const { code, stdout, stderr } = await runProgram(['node', launch, '--version'], { command: '/usr/bin/env' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^helix: Node 24\.7 or later is required[^\n]+\n$/)
})

test.skipIf(!hasPinned)('npm runs the Node that the project pins, not the one of the machine', async () => {
  const script = ['exec', '--offline', '-c', 'node --version']
  const { stdout } = await runProgram(script, { command: 'npm', cwd: repository })
  expect(stdout.trim()).toBe(`v${pinned}`)
})

test('npm start passes its arguments to helix serve', async () => {
  const { code, stdout } = await runProgram(['start', '--', '--help'], { command: 'npm', cwd: repository })
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: helix serve')
})

test.skipIf(!hasPinned)('./helix runs the pinned Node, whatever is on the path', async () => {
  const { stdout } = await runProgram(['doctor', '--json', '--port', '0', '--model', '/nowhere'])
  const [runtime] = JSON.parse(stdout).checks
  expect(runtime.detail).toContain(`Node ${pinned} `)
})

test('a fresh clone without packages says what to do', async () => {
  const clone = await tempDir()
  for (const file of ['helix', 'src/launch.mjs']) await cp(join(repository, file), join(clone, file))
  const { code, stdout, stderr } = await runProgram(['serve'], { command: './helix', cwd: clone })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]*'npm ci'[^\n]*\n$/)
})
