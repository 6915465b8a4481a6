/** Claude Code without a terminal and with an empty HOME. Address and key come from the environment. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { playAll, runProgram } from './playing.mjs'

const program = resolve('node_modules', '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude')
const home = mkdtempSync(resolve('home-'))
const project = join(home, 'project')
mkdirSync(project)
const { PATH, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = process.env
const env = {
  ...{ PATH, HOME: home, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_MODEL: 'helix-v1' },
  // Updates and statistics; the server answers all the rest.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

const ask = (...args) => runProgram(program, args, { cwd: project, env })

const scenarios = {
  'one question': () => assert.equal(ask('-p', 'Say hello'), 'Hello, world!'),
  'a question with JSON output': () => {
    const { is_error, result, usage } = JSON.parse(ask('-p', 'Say hello', '--output-format', 'json'))
    assert.deepEqual([is_error, result, usage.output_tokens], [false, 'Hello, world!', 4])
  },
  'a tool call': () => {
    const answer = ask('-p', 'call the tool Bash', '--allowedTools', 'Bash')
    assert.equal(answer, 'The tool said: from the tool.')
  },
  // It asks the server to check tool calls, is refused, and continues without.
  'a tool call in auto mode': () => {
    const answer = ask('-p', 'call the tool Bash', '--permission-mode', 'auto')
    assert.equal(answer, 'The tool said: from the tool.')
  },
  'a continued conversation': () => assert.equal(ask('-p', '--continue', 'Say hello again'), 'Hello, world!'),
}

await playAll(`claude-code ${ask('--version')}`, scenarios)
