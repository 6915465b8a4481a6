import { createServer } from 'node:http'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { runProgram } from '../harness/run-program.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

let upstreamUrl: string
beforeAll(async () => {
  const upstream = await startUpstream((response) => say(response, 'Hello'))
  upstreamUrl = upstream.baseUrl
})

const start = async (args: readonly string[], env: Record<string, string> = {}) => {
  const port = String(await freePort())
  const upstream = { HELIX_UPSTREAM_URL: upstreamUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
  const program = await startProgram({ args: ['--port', port, ...args], env: { ...upstream, ...env } })
  return { program, ask: (...words: string[]) => runProgram(['health', ...words, '--port', port, ...args]) }
}

test('a server that is ready says so, with plain HTTP and on all addresses', async () => {
  const { ask } = await start(['--host', '0.0.0.0', '--allow-plaintext'])
  const { code, stdout, stderr } = await ask()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ready' })
  expect(JSON.parse((await ask('--live')).stdout)).toMatchObject({ status: 'ok' })
})

test('a certificate need not be that of the loopback address', async () => {
  const { ask } = await start(['--tls', 'self-signed'], { HELIX_PUBLIC_URL: 'https://chat.example.com' })
  expect((await ask()).code).toBe(0)
})

test('a server that is about to stop is not ready', async () => {
  const hourMs = '3600000'
  const { program, ask } = await start([], { HELIX_SHUTDOWN_DELAY_MS: hourMs, HELIX_SHUTDOWN_GRACE_MS: hourMs })
  expect((await ask()).code).toBe(0)
  const stopped = program.stop()
  await program.logged({ event: 'stop_delayed' })
  const { code, stdout } = await ask()
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'stopping' })
  // Signals within half a second count as one.
  do program.child.kill('SIGINT')
  while ((await ask()).stdout.includes('stopping'))
  expect(await stopped).toBe(0)
})

test('no server, a silent one and a port that is not known are errors of one line', async () => {
  const port = String(await freePort())
  const nobody = await runProgram(['health', '--port', port])
  expect(nobody).toMatchObject({ code: 1, stdout: '' })
  expect(nobody.stderr).toMatch(/^helix: .*\/readyz cannot be reached: .*\n$/)
  const silent = createServer(() => {}).listen(Number(port), '127.0.0.1')
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const waited = await runProgram(['health', '--port', port, '--timeout-ms', '50'])
  expect(waited).toMatchObject({ code: 1, stdout: '' })
  expect(waited.stderr).toContain('did not answer within 50 ms')
  expect((await runProgram(['health', '--port', '0'])).code).toBe(2)
  expect((await runProgram(['health', '--port', port, '--timeout-ms', 'soon'])).code).toBe(2)
})
