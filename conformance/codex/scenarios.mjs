/** OpenAI's Codex without a terminal and with an empty HOME. Address and key come from the environment. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

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

const run = (...args) => {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: project, env, encoding: 'utf8', input: '' })
  assert.equal(status, 0, `${stdout} ${stderr}`)
  return stdout.trim()
}
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
  'a continued conversation': () => assert.equal(ask('resume', '--last', 'Say hello again'), 'Hello, world!'),
}

console.log(run('--version'))
let failures = 0
for (const [name, play] of Object.entries(scenarios)) {
  try {
    play()
    console.log(`ok ${name}`)
  } catch (error) {
    failures += 1
    console.log(`FAIL ${name}: ${String(error).split('\n').slice(0, 6).join(' ')}`)
  }
}
process.exit(failures === 0 ? 0 : 1)
