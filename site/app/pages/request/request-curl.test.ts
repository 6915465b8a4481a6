import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { requestCurl } from './request-curl.ts'

test('the shell sends the stored request to the path it was sent to, whatever it says', () => {
  const body = JSON.stringify({ model: 'helix-v1', prompt: 'It\'s $HOME `date` \\ "quoted"\nand 日本語' })
  const curl = requestCurl('completions', body, 'http://127.0.0.1:8080/v1')
  const script = `curl() { printf '%s\\n' "$2"; for last; do :; done; printf %s "$last"; }\n${curl}`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { HELIX_API_KEY: 'hx_live_1' } })
  expect(stdout).toBe(`http://127.0.0.1:8080/v1/completions\n${body}`)
})

test('what was asked in the playground becomes a chat completion', () => {
  expect(requestCurl('playground', '{}', 'http://127.0.0.1:8080/v1')).toContain('"$BASE_URL/chat/completions"')
})
