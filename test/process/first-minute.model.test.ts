import { join } from 'node:path'
import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { openSampling, talk } from '../harness/engine-request.ts'
import { engineThreads } from '../harness/engine-threads.ts'
import { postChat } from '../harness/post-chat.ts'
import { contentOf, readChunks } from '../harness/read-events.ts'
import { hasCurl, repository, runProgram } from '../harness/run-program.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** What a newcomer does, in their order, on one server. Nothing here may depend on what the model says. */
const questions = { English: 'What is the capital of France?', Japanese: '日本の首都はどこですか。' }
const limit = 24
const greedy = { temperature: 0, max_tokens: limit }
/** What was answered over HTTP, to be compared with the engine itself at the end. */
const answers = new Map<string, string>()

/** Ends an answer that has no limit of its own, whatever the model. */
const contextTokens = 1024

let program: Program
let service: { url: string; key: string }
beforeAll(async () => {
  // More questions at once than a new organisation may ask.
  const unlimited = ['--organisation-requests-in-flight', '0']
  program = await startProgram({ args: ['--context-tokens', String(contextTokens), ...unlimited] })
  await program.engineReady()
  service = { url: program.url, key: await program.createKey() }
})

/** The command that stands behind a word of the printed lines. */
const printed = async (word: string): Promise<string> => {
  const line = await program.stdout.find((text) => text.startsWith(`${word}:`))
  return line.slice(word.length + 1).trim()
}
const inShell = (command: string) => runProgram(['-c', command], { command: '/bin/sh', cwd: repository })

type Completion = {
  model: string
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}
const expectWhole = (content: string | undefined): void => {
  expect(content).toMatch(/\S/)
  expect(content).not.toContain('\uFFFD')
}
const expectCompletion = (completion: Completion): void => {
  expect(completion).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    model: 'helix-v1',
    choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: expect.stringMatching(/^(stop|length)$/) }],
  })
  expectWhole(completion.choices[0]?.message.content)
  const { prompt_tokens, completion_tokens, total_tokens } = completion.usage
  expect(prompt_tokens).toBeGreaterThan(0)
  expect(completion_tokens).toBeGreaterThan(0)
  expect(total_tokens).toBe(prompt_tokens + completion_tokens)
}

test('the start prints at most five lines: the address, the data, a key, a request', async () => {
  await printed('Start a chat')
  // Where the site is built first, the link is printed again when it is there.
  expect(new Set(program.stdout.lines).size).toBeLessThanOrEqual(5)
  const all = program.stdout.lines.join('\n')
  for (const words of [`${program.url}/v1`, program.dataDir, './helix keys create', `curl ${program.url}/v1/`])
    expect(all).toContain(words)
})

test('the printed command makes a key', async () => {
  const command = await printed('Create a key')
  const { code, stdout } = await inShell(command)
  expect(code).toBe(0)
  expect((await postChat({ ...service, key: stdout.trim() }, 'Hi', { max_tokens: 1 })).status).toBe(200)
  const asJson = JSON.parse((await inShell(`${command} --json`)).stdout)
  expect(asJson).toMatchObject({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^hx_live_/) })
})

test.skipIf(!hasCurl)('the printed curl line gets an answer', async () => {
  const { code, stdout } = await inShell((await printed('Send a request')).replace('YOUR_KEY', service.key))
  expect(code).toBe(0)
  expectCompletion(JSON.parse(stdout))
})

test('without a key there is no answer, not even here', async () => {
  expect((await postChat({ ...service, key: '' }, 'Hi')).status).toBe(401)
})

test.each(Object.entries(questions))(
  'a question in %s gets the same answer whole and streamed',
  async (_, question) => {
    const whole = (await (await postChat(service, question, greedy)).json()) as Completion
    expectCompletion(whole)
    const [choice] = whole.choices
    expect(whole.usage.completion_tokens).toBeLessThanOrEqual(limit)
    if (whole.usage.completion_tokens < limit) expect(choice?.finish_reason).toBe('stop')

    const options = { ...greedy, stream: true, stream_options: { include_usage: true } }
    const chunks = await readChunks(await postChat(service, question, options))
    expect(contentOf(chunks)).toBe(choice?.message.content)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe(choice?.finish_reason)
    // The second time the prompt is still in memory, but for its last token.
    const prompt_tokens_details = { cached_tokens: whole.usage.prompt_tokens }
    expect(chunks.at(-1)?.usage).toMatchObject({ ...whole.usage, prompt_tokens_details })
    answers.set(question, choice?.message.content ?? '')
  },
)

test('two questions get two answers', () => {
  expect(new Set(answers.values()).size).toBe(2)
})

test('the official client creates and streams', async () => {
  const client = new OpenAI({ baseURL: `${program.url}/v1`, apiKey: service.key, maxRetries: 0 })
  const question = { model: 'helix-v1', messages: [{ role: 'user' as const, content: questions.English }], ...greedy }
  const completion = await client.chat.completions.create(question)
  expect(completion.choices[0]?.message.content).toBe(answers.get(questions.English))
  const stream = await client.chat.completions.create({ ...question, stream: true })
  const pieces = await Array.fromAsync(stream, (chunk) => chunk.choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toBe(answers.get(questions.English))
})

test('more questions than slots at once are all answered', async () => {
  const asked = Array.from({ length: 6 }, (_, index) => postChat(service, `${index} + 1 = ?`, { max_tokens: 8 }))
  for (const response of await Promise.all(asked)) expectCompletion((await response.json()) as Completion)
})

test('helix chat answers a question, and a conversation from a pipe', async () => {
  const command = (await printed('Start a chat')).replace('./helix ', '').split(' ')
  const once = await runProgram([...command, 'Say hello.'])
  expect(once).toMatchObject({ code: 0, stderr: '' })
  expectWhole(once.stdout)
  const conversation = await runProgram(command, { input: 'Say hello.\nAgain, please.\n' })
  expect(conversation).toMatchObject({ code: 0, stderr: '' })
  expectWhole(conversation.stdout)
})

test("the answer over HTTP is the engine's own for the rendered template", async () => {
  expect(await program.stop()).toBe(0)
  const engine = openEmbeddedEngine({
    modelFiles: await readModel(join(repository, 'models/helix-v1'), { contextTokens }),
    slots: 4,
    threads: engineThreads,
    clock: systemClock,
    log: { info() {}, warn() {}, error() {} },
    workerPath: join(repository, 'src/engine-process.ts'),
  })
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
  const signal = new AbortController().signal
  for (const [content, answer] of answers) {
    const prompt = await engine.prepare(talk(content), signal)
    const sampling = { ...openSampling, maxTokens: limit, temperature: 0 }
    const decoder = new TextDecoder()
    let text = ''
    for await (const event of prompt.generate(sampling, signal))
      if (event.type === 'token') text += decoder.decode(event.bytes, { stream: true })
    expect(answer).toBe(text)
  }
  await engine.close()
})
