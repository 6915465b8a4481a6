import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { runCommand } from '../harness/run-command.ts'
import { type ProgramOptions, repository, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const scratch = scratchPath()
const inScratch = (name: string): string => join(scratch, name)
const file = async (name: string, content: string): Promise<string> => {
  await writeFile(inScratch(name), content)
  return inScratch(name)
}
/** `isOnlySettings`: flags and variables are refused before anything starts, so no process is needed to see it. */
type Start = { args?: string[]; named: string[]; isOnlySettings?: true } & ProgramOptions

/** Without weights, which would be loaded meanwhile. */
const answeredElsewhere = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }

const takenPort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}
/** Root may write everywhere but to the kernel's own files. */
const readOnlyDirectory = async (): Promise<string> => {
  if (process.getuid?.() === 0) return '/sys/helix-data'
  await mkdir(inScratch('read-only'))
  await chmod(inScratch('read-only'), 0o500)
  return inScratch('read-only')
}
/** The model's folder without its weights, or with weights that were cut short. */
const modelWithout = async (name: string, cutShort: boolean): Promise<string> => {
  const folder = inScratch(name)
  const filter = (path: string): boolean => !path.endsWith('.gguf')
  await cp(join(repository, 'models/helix-v1'), folder, { recursive: true, filter })
  if (!cutShort) return folder
  const manifest: { files: { name: string; bytes: number }[] } = JSON.parse(
    await readFile(join(folder, 'model.json'), 'utf8'),
  )
  for (const { name: part, bytes } of manifest.files) {
    await writeFile(join(folder, part), '')
    await truncate(join(folder, part), bytes - 1)
  }
  return folder
}

const starts: Record<string, () => Promise<Start> | Start> = {
  'an unknown variable': () => ({ env: { HELIX_PROT: '1' }, named: ['HELIX_PROT', 'HELIX_PORT'] }),
  'a port that is no number in the environment': () => ({
    env: { HELIX_PORT: 'http' },
    named: ['HELIX_PORT', 'http'],
    isOnlySettings: true,
  }),
  'a port that is no number on the command line': () => ({
    args: ['--port', '70000'],
    named: ['--port', '70000'],
    isOnlySettings: true,
  }),
  'an unknown setting in helix.config.json': async () => {
    await mkdir(inScratch('unknown'))
    await file('unknown/helix.config.json', '{ "prot": 1 }')
    return { cwd: inScratch('unknown'), named: ['helix.config.json', 'prot'] }
  },
  'a malformed setting in helix.config.json': async () => {
    await mkdir(inScratch('malformed'))
    await file('malformed/helix.config.json', '{ "engineSlots": "many" }')
    return { cwd: inScratch('malformed'), named: ['engineSlots', 'many'] }
  },
  'a settings file that is no JSON': async () => ({
    args: ['--config', await file('broken.json', '{ port: 1 }')],
    named: ['broken.json'],
  }),
  'a settings file that is not there': () => ({ args: ['--config', inScratch('none.json')], named: ['none.json'] }),
  'an address that others can reach, without TLS': () => ({
    args: ['--host', '0.0.0.0'],
    named: ['HELIX_HOST', '0.0.0.0', 'HELIX_TLS_CERT', 'HELIX_ALLOW_PLAINTEXT'],
    isOnlySettings: true,
  }),
  'an address this machine does not have': () => ({
    args: ['--host', '192.0.2.1', '--allow-plaintext'],
    env: answeredElsewhere,
    named: ['192.0.2.1', 'HELIX_HOST'],
  }),
  'a certificate that is not there': async () => ({
    env: { HELIX_TLS_CERT: inScratch('none.crt'), HELIX_TLS_KEY: await file('a.key', '') },
    named: ['HELIX_TLS_CERT', 'none.crt'],
  }),
  'half of a certificate pair': () => ({
    env: { HELIX_TLS_CERT: inScratch('none.crt') },
    named: ['HELIX_TLS_CERT', 'HELIX_TLS_KEY'],
    isOnlySettings: true,
  }),
  'a key of another certificate': async () => {
    const [one, other] = [createSelfSigned({ now: Date.now() }), createSelfSigned({ now: Date.now() })]
    const cert = await file('one.crt', one.certPem)
    const key = await file('other.key', other.keyPem)
    return { env: { HELIX_TLS_CERT: cert, HELIX_TLS_KEY: key }, named: ['HELIX_TLS_KEY', 'other.key', 'one.crt'] }
  },
  'a port that another program uses': async () => {
    const port = await takenPort()
    return { args: ['--port', port], env: answeredElsewhere, named: [port, 'HELIX_PORT'] }
  },
  'a data directory that cannot be written': async () => {
    const directory = await readOnlyDirectory()
    return { args: ['--data-dir', directory], named: [directory] }
  },
  'a data directory that is a file': async () => {
    const path = await file('plain-file', '')
    return { args: ['--data-dir', path], named: [path] }
  },
  'a database that is none': async () => {
    await mkdir(inScratch('damaged/backups'), { recursive: true })
    await file('damaged/helix.db', 'a shopping list '.repeat(1_000))
    await file('damaged/backups/helix-v4-then.db', '')
    const directory = inScratch('damaged')
    return { args: ['--data-dir', directory], named: [`${directory}/backups/helix-v4-then.db`, 'helix restore'] }
  },
  'a data directory whose path is too long for a socket': () => {
    const path = inScratch('x'.repeat(150))
    return { args: ['--data-dir', path], named: ['HELIX_DATA_DIR', path] }
  },
  'a model that is not there': () => ({ args: ['--model', inScratch('no-model')], named: [inScratch('no-model')] }),
  'a model folder without a manifest': () => ({ args: ['--model', scratch], named: [join(scratch, 'model.json')] }),
  'a model folder without its weights': async () => {
    const folder = await modelWithout('no-weights', false)
    return { args: ['--model', folder], named: [folder, '.gguf'] }
  },
  'weights that were cut short': async () => {
    const folder = await modelWithout('cut-weights', true)
    return { args: ['--model', folder], named: [folder, '.gguf', 'bytes'] }
  },
  'a truncated GGUF file': async () => {
    const path = writeTinyModel(scratch, 'tiny-chat')
    await truncate(path, 1000)
    return { args: ['--model', path], named: [path, 'truncated'] }
  },
  'a longer context than the model was trained for': () => {
    const path = writeTinyModel(scratch, 'tiny-looping-template')
    return { args: ['--model', path, '--context-tokens', '1000000'], named: [path, 'contextTokens', '1000000'] }
  },
  'a model of an unknown architecture': () => {
    const path = writeTinyModel(scratch, 'tiny-unknown-architecture')
    return { args: ['--model', path], named: [path, 'unheard-of'] }
  },
  'an upstream without the name of its model': () => ({
    env: { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1' },
    named: ['HELIX_UPSTREAM_MODEL'],
    isOnlySettings: true,
  }),
}

test.concurrent.each(Object.keys(starts))('%s stops the start with one line that names it', async (name) => {
  const { args = [], named, isOnlySettings, ...options } = (await starts[name]?.()) ?? { named: [] }
  // Of two equal flags the later one counts; a flag counts before a variable.
  const port = options.env?.HELIX_PORT === undefined ? ['--port', '0'] : []
  const usual = ['--data-dir', scratchPath(), ...port]
  const asked = ['serve', ...usual, ...args]
  const ended = isOnlySettings ? runCommand(asked, options.env) : runProgram(asked, options)
  const { code, stdout, stderr } = await ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  // The model is loaded meanwhile: on a busy machine it can be ready, and in the log, before the port is asked for.
  const said = stderr.replace(/^\{[^\n]*"event":"engine_ready"[^\n]*\n/m, '')
  expect(said).toMatch(/^helix: [^\n]+\n$/)
  for (const word of named) expect(said).toContain(word)
})
