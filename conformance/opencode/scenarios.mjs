/** opencode without a terminal and with an empty HOME. Address and key come from the environment. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { playAll, runProgram } from './playing.mjs'

const program = resolve('node_modules', `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode')
const home = mkdtempSync(resolve('home-'))
const project = join(home, 'project')
mkdirSync(project)
const { PATH, OPENAI_BASE_URL, OPENAI_API_KEY, NO_PROXY } = process.env
const env = {
  ...{ PATH, HOME: home, OPENAI_API_KEY, NO_PROXY },
  // Updates and lists of other providers' models.
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** Without a limit, it asks for 32,000 tokens. */
const models = { 'helix-v1': { limit: { context: 8192, output: 1024 } } }
const options = { baseURL: OPENAI_BASE_URL, apiKey: '{env:OPENAI_API_KEY}' }
const provider = { helix: { npm: '@ai-sdk/openai-compatible', name: 'Helix', options, models } }
const config = { provider, model: 'helix/helix-v1', small_model: 'helix/helix-v1', share: 'disabled' }
writeFileSync(join(project, 'opencode.json'), JSON.stringify(config))

const run = (...args) => runProgram(program, args, { cwd: project, env })

const scenarios = {
  'one question': () => assert.equal(run('run', 'Say hello'), 'Hello, world!'),
  'a question with JSON output': () => {
    const events = run('run', '--format', 'json', 'Say hello').split('\n').map(JSON.parse)
    const { tokens } = events.find(({ type }) => type === 'step_finish').part
    assert.equal(tokens.output, 4)
  },
  'a tool call': () => assert.match(run('run', '--auto', 'call the tool bash'), /The tool said: from the tool/),
  'a continued conversation': () => assert.equal(run('run', '--continue', 'Say hello again'), 'Hello, world!'),
}

await playAll(`opencode ${run('--version')}`, scenarios)
