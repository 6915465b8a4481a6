import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { words } from '../../languages/en/settings.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { documentConfig } from './document-config.ts'
import { loadConfig, type Sources } from './load-config.ts'
import { findSecret } from './secret-file.ts'
import { environmentName, settingNames, settings } from './settings.ts'

const load = (environment: Sources['environment']) => loadConfig({ flags: {}, environment, configFile: null })
const writeSecret = async (content: string | Uint8Array): Promise<string> => {
  const path = join(await tempDir(), 'secret')
  writeFileSync(path, content)
  return path
}

test('every secret setting can be named by its file, and no other setting', () => {
  const document = documentConfig(words)
  for (const name of settingNames) {
    const variable = `${environmentName(name)}_FILE`
    const isSecret = 'secret' in settings[name]
    expect(document.includes(`\`${variable}\``)).toBe(isSecret)
    expect(() => load({ [variable]: '/nowhere/secret' })).toThrow(
      isSecret ? `${variable}: /nowhere/secret does not exist` : `unknown setting ${variable} in the environment`,
    )
  }
})

test('secrets come from files: one value, a list as JSON, and the key of an upstream', async () => {
  const upstreams = [{ name: 'gpu', url: 'http://10.0.0.2/v1', keyFrom: 'GPU_KEY' }]
  const config = load({
    HELIX_STORE_FILE: await writeSecret('postgres://helix:secret@db.example.com/helix\n'),
    HELIX_SECRET_KEY_FILE: await writeSecret(Buffer.alloc(32, 7).toString('base64')),
    HELIX_UPSTREAMS_FILE: await writeSecret(`${JSON.stringify(upstreams)}\r\n`),
    GPU_KEY_FILE: await writeSecret('sk-gpu\n'),
  })
  expect(config.store).toBe('postgres://helix:secret@db.example.com/helix')
  expect(config.secretKey).toBe(Buffer.alloc(32, 7).toString('base64'))
  expect(config.upstreams[0]?.key).toBe('sk-gpu')
})

test('only a line break at the end is left out: whatever else a secret contains belongs to it', async () => {
  const file = await writeSecret('')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '\r\n'), (secret, end) => {
      fc.pre(!/[\r\n]$/.test(secret) && Buffer.from(secret).toString() === secret)
      writeFileSync(file, secret + end)
      expect(findSecret({ A_FILE: file }, 'A')?.value).toBe(secret)
    }),
  )
})

test('a file wins over the settings file, and a variable beside it is an error', async () => {
  const [file, configFile] = [await writeSecret('from-file'), await writeSecret('{ "apiKey": "from-settings" }')]
  const environment = { HELIX_API_KEY_FILE: file }
  expect(loadConfig({ flags: {}, environment, configFile }).apiKey).toBe('from-file')
  expect(() => load({ ...environment, HELIX_API_KEY: 'hunter2' })).toThrow(
    /^HELIX_API_KEY and HELIX_API_KEY_FILE are both set: remove one of them$/,
  )
})

test('of a secret and its file, the one that is empty is not set', async () => {
  const file = await writeSecret('from-file')
  expect(load({ HELIX_API_KEY: '', HELIX_API_KEY_FILE: file }).apiKey).toBe('from-file')
  expect(load({ HELIX_API_KEY: 'own', HELIX_API_KEY_FILE: '' }).apiKey).toBe('own')
  expect(load({ HELIX_API_KEY: '', HELIX_API_KEY_FILE: '' }).apiKey).toBe(null)
})

test('what is wrong with a file is said with its name, and without its content', async () => {
  const folder = await tempDir()
  expect(() => load({ HELIX_API_KEY_FILE: folder })).toThrow(`HELIX_API_KEY_FILE: ${folder} is a directory`)
  const empty = await writeSecret('\n')
  expect(() => load({ HELIX_API_KEY_FILE: empty })).toThrow(`HELIX_API_KEY_FILE (${empty}): expected a string`)
  const wrong = await writeSecret('mysql://me:hunter2@db/helix')
  expect(() => load({ HELIX_STORE_FILE: wrong })).toThrow(/: expected a postgres:\/\/ URL with a host and a database$/)
})
