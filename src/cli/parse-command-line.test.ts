import { describe, expect, test } from 'vitest'
import { type Command, UsageError } from './command.ts'
import { commands as shortCommands } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { createServeCommand } from './serve-command.ts'

const serve = createServeCommand(() => Promise.reject(new Error('not here')), '/none')
const commands: Command[] = [serve, ...shortCommands]
const parse = (line: string) => parseCommandLine(line.split(' ').filter(Boolean), commands)
const run = (line: string) => {
  const parsed = parse(line)
  if (parsed.kind !== 'run') throw new Error(`it is ${parsed.kind}`)
  return { ...parsed, name: parsed.command.name }
}
const refusal = (line: string): string => {
  try {
    parse(line)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    const { message } = error as UsageError
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('it was accepted')
}

test.each(['', '--help', '-h', 'help'])('helix %s shows the help of the program', (line) => {
  expect(parse(line)).toEqual({ kind: 'program-help' })
})

test.each(['--version', '-v'])('helix %s shows the version', (line) => {
  expect(parse(line)).toEqual({ kind: 'version' })
})

test.each(commands.map(({ name }) => name))('helix %s --help shows the help of that command', (name) => {
  expect(parse(`${name} --help`)).toMatchObject({ kind: 'command-help', command: { name } })
  expect(parse(`${name} -h`)).toMatchObject({ kind: 'command-help', command: { name } })
})

test('half a command with --help shows what it could become', () => {
  const parsed = parse('limits --help')
  expect(parsed.kind).toBe('group-help')
  if (parsed.kind === 'group-help')
    expect(parsed.commands.map(({ name }) => name)).toEqual(['limits show', 'limits set'])
})

test('a command gets its own options, its arguments, and settings apart from them', () => {
  expect(run('keys create --name x --json --data-dir /d --config c.json')).toMatchObject({
    name: 'keys create',
    options: { name: 'x', json: true },
    flags: { dataDir: '/d' },
    configFile: 'c.json',
    positionals: [],
  })
  expect(run('keys revoke key_1')).toMatchObject({ positionals: ['key_1'], flags: {}, configFile: undefined })
  expect(run('chat what is this')).toMatchObject({ positionals: ['what', 'is', 'this'] })
})

test('settings are flags of their names; a switch needs no value', () => {
  expect(run('serve --port 9000 --allow-plaintext --tls=self-signed')).toMatchObject({
    flags: { port: '9000', allowPlaintext: '1', tls: 'self-signed' },
  })
})

test('behind -- everything is an argument', () => {
  expect(run('chat -- --help')).toMatchObject({ positionals: ['--help'] })
})

describe('what cannot be understood is one line that says what to do', () => {
  test.each([
    ['frob', "unknown command 'frob'; to list all commands, run 'helix --help'"],
    ['constructor', "unknown command 'constructor'; to list all commands, run 'helix --help'"],
    ['--port 1', "unknown command '--port'; to list all commands, run 'helix --help'"],
    ['limits', 'choose one of: helix limits show, helix limits set'],
    ['limits frob', 'choose one of: helix limits show, helix limits set'],
    ['keys list now', "unexpected argument 'now' after 'helix keys list'"],
    ['serve --frob', "Unknown option '--frob'; see 'helix serve --help'"],
    ['serve --port', "Option '--port <value>' argument missing; see 'helix serve --help'"],
    ['serve --port -1', "Option '--port' argument is ambiguous; see 'helix serve --help'"],
    ['serve --allow-plaintext=1', "Option '--allow-plaintext' does not take an argument; see 'helix serve --help'"],
    ['serve --upstream-key x', "Unknown option '--upstream-key'; see 'helix serve --help'"],
    ['chat --api-key x', "Unknown option '--api-key'; see 'helix chat --help'"],
  ])('helix %s', (line, message) => {
    expect(refusal(line)).toBe(message)
  })
})

test('the help names every command, and the help of a command all it takes', () => {
  const help = programHelp(commands, '1.2.3')
  expect(help).toContain('Helix 1.2.3')
  for (const { name, summary } of commands) expect(help).toMatch(new RegExp(`  ${name} +${summary.slice(0, 10)}`))
  const keysHelp = commandHelp(commands.find(({ name }) => name === 'keys create') ?? serve)
  for (const option of ['--name NAME', '--json', '--config PATH', '--help', '--data-dir'])
    expect(keysHelp).toContain(option)
  const serveHelp = commandHelp(serve)
  expect(serveHelp).toContain('--generation-timeout-ms')
  expect(serveHelp).not.toContain('--upstream-key')
})
