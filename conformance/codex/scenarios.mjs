/** OpenAI's Codex without a terminal and with an empty HOME. Address and key come from the environment. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { playAll, runProgram } from './playing.mjs'

const vendor = resolve('node_modules', '@openai', 'codex', 'vendor')
const program = join(vendor, readdirSync(vendor)[0] ?? '', 'bin', 'codex')
const home = mkdtempSync(resolve('home-'))
const project = join(home, 'project')
for (const folder of [project, join(home, '.codex')]) mkdirSync(folder)
const { PATH, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env
const env = { PATH, HOME: home, OPENAI_API_KEY }

const provider = { name: 'Helix', base_url: OPENAI_BASE_URL, env_key: 'OPENAI_API_KEY', wire_api: 'responses' }
const inToml = Object.entries(provider).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
const settings = ['model="helix-v1"', 'model_provider="helix"', `model_providers.helix={${inToml}}`]

const run = (...args) => runProgram(program, args, { cwd: project, env })
/** Its sandbox needs rights that a container rarely has; the only command is an echo. */
const ask = (...args) =>
  run(
    ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...settings.flatMap((setting) => ['-c', setting]),
    ...args,
  )

const scenarios = {
  'one question': () => assert.equal(ask('Say hello'), 'Hello, world!'),
  'a tool call': () => assert.match(ask('call the tool exec_command'), /^The tool said: .*from the tool/s),
  'an answer by a schema': () => {
    const properties = { place: { type: 'string' }, guests: { type: 'integer' } }
    const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
    writeFileSync(join(home, 'schema.json'), JSON.stringify(schema))
    const { place, guests } = JSON.parse(ask('--output-schema', join(home, 'schema.json'), 'Plan a party'))
    assert.deepEqual([typeof place, Number.isInteger(guests)], ['string', true])
  },
  'a continued conversation': () => assert.equal(ask('resume', '--last', 'Say hello again'), 'Hello, world!'),
}

await playAll(run('--version'), scenarios)
