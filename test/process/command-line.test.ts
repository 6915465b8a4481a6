import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commit, fullVersion, version } from '../../src/base/version.ts'
import { programCommands, runCommand } from '../harness/run-command.ts'
import { repository, runProgram } from '../harness/run-program.ts'
import { tempDir } from '../harness/temp-dir.ts'

const commands = programCommands.map(({ name }) => name)

test('--help lists every command', async () => {
  const asked = await runProgram(['--help'])
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  const listed = [...asked.stdout.matchAll(/^ {2}(?!helix )(\S+(?: \S+)*) {2,}/gm)].map(([, name]) => name)
  expect(listed).toEqual(commands)
  expect(await runProgram([])).toEqual(asked)
})

test('--version is the version with its commit and nothing else', async () => {
  const line = `${version}+${commit.slice(0, 12)}\n`
  expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: line, stderr: '' })
})

test.each(commands)('%s has a --help of its own', async (command) => {
  const { code, stdout, stderr } = await runCommand([...command.split(' '), '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Usage: helix ${command}`)
  expect(stdout).toContain('--config PATH')
})

test('the help of a group shows all its commands', async () => {
  const { code, stdout } = await runCommand(['keys', '--help'])
  expect(code).toBe(0)
  for (const command of commands.filter((name) => name.startsWith('keys ')))
    expect(stdout).toContain(`Usage: helix ${command}`)
})

type Refused = [description: string, args: string[], named: string]

/** JavaScript reads them as numbers. */
const oddNumbers: Refused[] = [
  ...['0x400', '1e3', '1024.0', ' 1024', ''].map(
    (count): Refused => [`a context of '${count}'`, ['models', 'add', 'x.gguf', '--context', count], '--context'],
  ),
  ...['0x10,0,0', '1e3,0,0', '1,2', '1,2,3,x', '1,,3', '-1,0,0', 'Infinity,0,0', '1,0b1,0'].map(
    (price): Refused => [`a price of '${price}'`, ['upstreams', 'add', 'x', 'http://x', `--price=${price}`], '--price'],
  ),
  ...['0x10', '1e2'].flatMap((count): Refused[] => [
    [`${count} milliseconds`, ['health', '--timeout-ms', count], '--timeout-ms'],
    [`${count} requests`, ['upstreams', 'add', 'x', 'http://x', '--max-in-flight', count], '--max-in-flight'],
  ]),
]

test.each<Refused>([
  ['an unknown command', ['sevre'], 'sevre'],
  ['an option before the command', ['--port', '1', 'serve'], '--port'],
  ['half a command', ['keys'], 'helix keys create'],
  ['an unknown command of a group', ['keys', 'delete'], 'helix keys revoke'],
  ['an unknown option', ['serve', '--prot', '1'], '--prot'],
  ['an option without its value', ['serve', '--port'], '--port'],
  ['a value that looks like an option', ['serve', '--port', '-1'], '--port'],
  ['a value for a switch', ['serve', '--allow-plaintext=yes'], '--allow-plaintext'],
  ['an argument too many', ['serve', 'now'], 'now'],
  ['a secret on the command line', ['serve', '--upstream-key', 'x'], '--upstream-key'],
  ['a key without a name', ['keys', 'create'], '--name'],
  ['a lifetime that is none', ['keys', 'create', '--name', 'x', '--expires', 'soon'], '--expires'],
  ['a revocation without a key', ['keys', 'revoke'], 'KEY'],
  ['a rotation without a key', ['keys', 'rotate'], 'KEY'],
  ['a grace that is no time', ['keys', 'rotate', 'x', '--grace', 'long'], '--grace'],
  ['no limit to set', ['limits', 'set', 'x'], '--rpm 60'],
  ['a limit that is none', ['limits', 'set', 'x', '--rpm', '0'], '--rpm'],
  ['a default for a key', ['limits', 'set', 'x', '--tpm', 'default'], '--tpm'],
  ['limits of nobody', ['limits', 'show'], 'KEY'],
  ['an unknown grouping', ['usage', '--by', 'person'], '--by'],
  ['a suspension of nobody', ['accounts', 'suspend'], 'EMAIL'],
  ['a model without a path', ['models', 'add'], 'PATH'],
  ['a context that is none', ['models', 'add', 'x.gguf', '--context', '1'], '--context'],
  ...oddNumbers,
  ['a digest that is none', ['models', 'pull', 'http://127.0.0.1:1/x.gguf', '--sha256', 'abc'], '--sha256'],
  ['a backup without a file', ['backup'], 'FILE'],
  ['a restoration of two files', ['restore', 'a', 'b'], 'FILE'],
  ['another service without a key for it', ['chat', '--url', 'http://127.0.0.1:1/v1', 'Hi'], 'HELIX_API_KEY'],
])('%s ends with code 2 and one line that names it', async (_, args, named) => {
  const { code, stdout, stderr } = await runCommand(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]+\n$/)
  expect(stderr).toContain(named)
})

test('the program itself ends with that code and line', async () => {
  for (const args of [['sevre'], ['serve', '--prot', '1'], ['keys', 'create']])
    expect(await runProgram(args)).toEqual(await runCommand(args))
})

test('a link to the program works from any directory', async () => {
  const directory = await tempDir()
  const [far, near] = [join(directory, 'far'), join(directory, 'near')]
  await symlink(join(repository, 'helix'), far)
  await symlink('far', near)
  for (const command of [far, near, './near'])
    expect(await runProgram(['--version'], { command, cwd: directory })).toMatchObject({ stdout: `${fullVersion}\n` })
})
